package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
)

// model lists what can be asked, or makes another one answer.
func (e *Engine) model(name string) {
	switch {
	case name == "":
		e.picking.then = func(needs messages.NeedsShown) { chooseModel(e, needs) }
		e.ask("list the models", messages.ShowNeeds{})
	case strings.EqualFold(name, "default"):
		usualModel(e)
	case e.picking.all != nil:
		e.useModel(name)
	default:
		e.beside("list the models", func(ctx context.Context) func() {
			list := e.Host.Models(ctx, messages.NeedsShown{})
			return func() {
				if ctx.Err() == nil {
					e.picking.all = list
					e.useModel(name)
				}
			}
		})
	}
}

// perProvider is how many models of a provider are listed; some have hundreds.
const perProvider = 8

// listModels numbers what a person may say; what does not fit is counted.
func (e *Engine) listModels(models []Choice) {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s answers. What you can use:\n", e.Talk.Provider, e.Talk.Model)
	e.picking.shown = nil
	listed, more := map[string]int{}, 0
	for _, choice := range models {
		if listed[choice.Provider]++; listed[choice.Provider] > perProvider {
			more++
			continue
		}
		e.picking.shown = append(e.picking.shown, choice)
		mark := " "
		if choice.Provider == e.Talk.Provider && choice.Model == e.Talk.Model {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %2d. %s\n", mark, len(e.picking.shown), join("  ", choice.Provider+" "+choice.Model, choice.About, choice.lacking()))
	}
	if more > 0 {
		fmt.Fprintf(&text, "     … and %s more; /model WORD lists those with the word in their name.\n", grouped(more))
	}
	text.WriteString("/model NUMBER or /model NAME switches, /model PROVIDER NAME also to one that is not listed. Prices are US dollars for a million tokens, in/out.")
	e.say(text.String())
}

// useModel finds out which model a name means.
func (e *Engine) useModel(name string) {
	if at, err := pick(name, len(e.picking.shown)); err != nil {
		e.warn(err.Error() + "; /model lists them.")
		return
	} else if at >= 0 {
		e.setModel(e.picking.shown[at])
		return
	}
	var names []string
	var with []Choice
	for _, choice := range e.picking.all {
		full := choice.Provider + " " + choice.Model
		if strings.EqualFold(choice.Model, name) || strings.EqualFold(full, name) {
			e.setModel(choice)
			return
		}
		if strings.Contains(strings.ToLower(full), strings.ToLower(name)) {
			with = append(with, choice)
		}
		names = append(names, choice.Model)
	}
	words := strings.Fields(name)
	switch near := Suggest(name, names); {
	case len(words) == 2:
		e.setModel(Choice{Provider: words[0], Model: words[1]})
	case len(words) > 2:
		e.warn("The name of a model has no spaces. Say /model NAME or /model PROVIDER NAME.")
	case len(with) == 1:
		e.setModel(with[0])
	case len(with) > 1:
		e.listModels(with)
	case len(near) > 0:
		e.warn(fmt.Sprintf("There is no %s; did you mean %s? To use it all the same: /model %s %s", name, strings.Join(near, " or "), e.Talk.Provider, name))
	default:
		e.warn(fmt.Sprintf("No model has %s in its name. To use it all the same: /model %s %s", name, e.Talk.Provider, name))
	}
}

// provider lists all providers, or asks another one from now on.
func (e *Engine) provider(name string) {
	e.beside("list the providers", func(ctx context.Context) func() {
		list := e.Host.Providers(ctx)
		return func() {
			if ctx.Err() != nil {
				return
			}
			e.providers = list
			if name == "" {
				e.listProviders()
				return
			}
			e.useProvider(name)
		}
	})
}

func (e *Engine) listProviders() {
	var text strings.Builder
	text.WriteString("Providers:\n")
	for i, choice := range e.providers {
		mark, what := " ", choice.Model
		if choice.Provider == e.Talk.Provider {
			mark, what = "*", e.Talk.Model
		}
		if choice.Lacks != "" {
			what = "not usable: " + choice.Lacks
		}
		fmt.Fprintf(&text, "%s %2d. %-14s %s\n", mark, i+1, choice.Provider, what)
	}
	text.WriteString("/provider NUMBER or /provider NAME switches.")
	e.say(text.String())
}

func (e *Engine) useProvider(name string) {
	at, err := pick(name, len(e.providers))
	if err != nil {
		e.warn(err.Error() + "; /provider lists them.")
		return
	}
	var names []string
	for i, choice := range e.providers {
		if strings.EqualFold(choice.Provider, name) {
			at = i
		}
		names = append(names, choice.Provider)
	}
	switch {
	case at < 0:
		text := "There is no provider " + name
		if near := Suggest(name, names); len(near) > 0 {
			text += "; did you mean " + strings.Join(near, " or ") + "?"
		} else {
			text += "; there are " + strings.Join(names, ", ") + "."
		}
		e.warn(text)
	case e.providers[at].Lacks != "":
		e.warn(fmt.Sprintf("%s cannot be asked yet: %s", e.providers[at].Provider, e.providers[at].Lacks))
	default:
		e.setModel(e.providers[at])
	}
}

// pick is the index that a number stands for, -1 for what is no number.
func pick(text string, count int) (int, error) {
	if !isNumber(text) {
		return -1, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > count {
		return -1, fmt.Errorf("there is no number %s in the list of %d", text, count)
	}
	return number - 1, nil
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
