package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/slash"
)

// model executes /model, which lists the models or switches to another model.
func (m models) model(name string) {
	switch {
	case name == "":
		m.picking.then = m.choose
		m.ask("list the models", messages.ShowNeeds{})
	case strings.EqualFold(name, "default"):
		m.forget()
	case m.picking.all != nil:
		m.use(name)
	default:
		m.runOutside("list the models", func(ctx context.Context) func() {
			list := m.Host.Models(ctx, messages.NeedsShown{})
			return func() {
				if ctx.Err() == nil {
					m.picking.all = list
					m.use(name)
				}
			}
		})
	}
}

// perProvider is the maximum number of models listed per provider. Some providers have hundreds.
const perProvider = 8

// list writes a numbered list of at most perProvider models per provider, and the number of omitted
// models.
func (m models) list(models []Choice) {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s answers. What you can use:\n", m.Talk.Provider, m.Talk.Model)
	m.picking.shown = nil
	listed, more := map[string]int{}, 0
	for _, choice := range models {
		if listed[choice.Provider]++; listed[choice.Provider] > perProvider {
			more++
			continue
		}
		m.picking.shown = append(m.picking.shown, choice)
		mark := " "
		if choice.Provider == m.Talk.Provider && choice.Model == m.Talk.Model {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %2d. %s\n", mark, len(m.picking.shown), join("  ", choice.Provider+" "+choice.Model, choice.About, choice.missingAbilities()))
	}
	if more > 0 {
		fmt.Fprintf(&text, "     … and %s more; /model WORD lists the models with WORD in their name.\n", ui.Grouped(more))
	}
	text.WriteString("Switch with /model NUMBER or /model NAME; /model PROVIDER/NAME also accepts a model that is not listed. Prices are US dollars per million tokens, input/output.")
	m.say(text.String())
}

// use selects the model with the given name, number or role.
func (m models) use(name string) {
	if at, err := pick(name, len(m.picking.shown)); err != nil {
		m.warn(err.Error() + "; /model lists them.")
		return
	} else if at >= 0 {
		m.set(m.picking.shown[at])
		return
	}
	var names []string
	var with []Choice
	spaced := splitModel(name, m.picking.all)
	for _, choice := range m.picking.all {
		full := choice.Provider + " " + choice.Model
		if strings.EqualFold(choice.Model, name) || strings.EqualFold(full, spaced) || slices.Contains(choice.Roles, strings.ToLower(name)) {
			m.set(choice)
			return
		}
		if strings.Contains(strings.ToLower(full), strings.ToLower(name)) {
			with = append(with, choice)
		}
		names = append(names, choice.Model)
	}
	words := strings.Fields(spaced)
	switch near := slash.Suggest(name, names); {
	case len(words) == 2:
		m.set(Choice{Provider: words[0], Model: words[1]})
	case len(words) > 2:
		m.warn("The name of a model has no spaces. Type /model NAME or /model PROVIDER/NAME.")
	case len(with) == 1:
		m.set(with[0])
	case len(with) > 1:
		m.list(with)
	case len(near) > 0:
		m.warn(fmt.Sprintf("There is no %s; did you mean %s? To use it anyway: /model %s/%s", name, strings.Join(near, " or "), m.Talk.Provider, name))
	default:
		m.warn(fmt.Sprintf("No model has %s in its name. To use it anyway: /model %s/%s", name, m.Talk.Provider, name))
	}
}

// splitModel converts "PROVIDER/NAME" to "PROVIDER NAME" if the provider is known. It does not
// convert known model names, many of which contain a slash.
func splitModel(name string, all []Choice) string {
	provider, model, slash := strings.Cut(name, "/")
	isModel := slices.ContainsFunc(all, func(choice Choice) bool { return strings.EqualFold(choice.Model, name) })
	at := slices.IndexFunc(all, func(choice Choice) bool { return strings.EqualFold(choice.Provider, provider) })
	if !slash || isModel || at < 0 {
		return name
	}
	return all[at].Provider + " " + model
}

// provider executes /provider, which lists the providers or switches to another provider.
func (m models) provider(name string) {
	m.runOutside("list the providers", func(ctx context.Context) func() {
		list := m.Host.Providers(ctx)
		return func() {
			if ctx.Err() != nil {
				return
			}
			m.numbered.providers = list
			if all := name == "--all" || name == "all"; name == "" || all {
				m.listProviders(all)
				return
			}
			m.useProvider(name)
		}
	})
}

// listProviders prints the numbered providers. By default, providers without a key are only
// counted.
func (m models) listProviders(all bool) {
	var text strings.Builder
	without := 0
	text.WriteString("Providers:\n")
	for i, choice := range m.numbered.providers {
		if !all && strings.HasPrefix(choice.Lacks, "no key") {
			without++
			continue
		}
		mark, what := " ", choice.Model
		if choice.Provider == m.Talk.Provider {
			mark, what = "*", m.Talk.Model
		}
		if choice.Lacks != "" {
			what = "not usable: " + choice.Lacks
		}
		fmt.Fprintf(&text, "%s %2d. %-14s %s\n", mark, i+1, choice.Provider, what)
	}
	if without > 0 {
		fmt.Fprintf(&text, "%s without a key; /provider --all lists them\n", messages.Counted(without, "other"))
	}
	text.WriteString("/provider NUMBER or /provider NAME switches.")
	m.say(text.String())
}

func (m models) useProvider(name string) {
	at, err := pick(name, len(m.numbered.providers))
	if err != nil {
		m.warn(err.Error() + "; /provider lists them.")
		return
	}
	var names []string
	for i, choice := range m.numbered.providers {
		if strings.EqualFold(choice.Provider, name) {
			at = i
		}
		names = append(names, choice.Provider)
	}
	switch {
	case at < 0:
		m.warn("There is no provider " + name + suggestOr(name, names, "; there are "+strings.Join(names, ", ")+"."))
	case m.numbered.providers[at].Lacks != "":
		m.warn(fmt.Sprintf("%s is not usable yet: %s", m.numbered.providers[at].Provider, m.numbered.providers[at].Lacks))
	default:
		m.set(m.numbered.providers[at])
	}
}

// pick converts the number in the text to an index. It returns -1 if the text is not a number, and
// an error if the number is less than 1 or greater than count.
func pick(text string, count int) (int, error) {
	if !isNumber(text) {
		return -1, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > count {
		return -1, fmt.Errorf("there is no number %s in the list of %d entries", text, count)
	}
	return number - 1, nil
}

// suggestOr asks whether the user meant a similar name. If no name is similar, it returns fallback.
func suggestOr(typed string, names []string, fallback string) string {
	if near := slash.Suggest(typed, names); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fallback
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
