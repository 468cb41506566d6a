package command

import (
	"context"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/view"
)

// picking is what is under way between a wish for another model, or effort, and the
// conversation saying that it has it.
type picking struct {
	then   func(messages.NeedsShown) // waits for what the conversation needs of a model
	model  Choice                    // that was asked for last; zero once the conversation has it
	effort *string                   // the same; nil once it has it
	asked  int                       // choices of a person that the conversation does not have yet
	unkept Kept                      // what is to be kept for the project
	writes bool                      // some of that is being written
	told   bool                      // that it is kept
	all    []Choice                  // that there were when they were listed last; nil for never
	shown  []Choice                  // as numbered on the screen
}

// needsShown goes on with a list that waited for it.
func needsShown(e *Engine, needs messages.NeedsShown) {
	then := e.picking.then
	if e.picking.then = nil; then != nil {
		then(needs)
	}
}

// chooseModel lets the person choose from what is known, at once; what the providers say
// comes into the list when they said it. Where nothing can be chosen from, all are numbered.
func chooseModel(e *Engine, needs messages.NeedsShown) {
	list := e.Host.KnownModels(needs)
	pick := Pick{List: view.List{Title: "Which model answers from now on?", Items: modelItems(e, list)}}
	pick.Chosen = func(at int) { e.setModel(list[at]) }
	pick.Later = func() func() []view.Item {
		all := e.Host.Models(context.Background(), needs) // which bounds its time itself
		return func() []view.Item {
			list, e.picking.all = all, all
			return modelItems(e, all)
		}
	}
	if e.Front.Pick(pick) {
		return
	}
	e.beside("list the models", func(ctx context.Context) func() {
		all := e.Host.Models(ctx, needs)
		return func() {
			if ctx.Err() == nil {
				e.picking.all = all
				e.listModels(all)
			}
		}
	})
}

func modelItems(e *Engine, list []Choice) []view.Item {
	items := make([]view.Item, len(list))
	for i, choice := range list {
		preview := choice.Explained
		if choice.Unfit != "" {
			preview = "lacks: " + choice.Unfit + "\n" + preview
		}
		items[i] = view.Item{
			Text: choice.Provider + " " + choice.Model, Note: join("  ", choice.lacking(), choice.About), Preview: preview,
			Now: choice.Provider == e.Talk.Provider && choice.Model == e.Talk.Model,
		}
	}
	return items
}

// lacking is what a model lacks, marked so that it stands out where there are no colours.
func (c Choice) lacking() string {
	if c.Unfit == "" {
		return ""
	}
	return "(!) " + c.Unfit
}

// setModel has another model answer. It is kept for the project once the conversation has it.
func (e *Engine) setModel(choice Choice) {
	e.picking.model = choice
	e.picking.asked++
	e.ask("switch the model", messages.SetModel{Provider: choice.Provider, Model: choice.Model})
}

// NextModel goes to the next of the models that a key goes through.
func NextModel(e *Engine) {
	list := e.Host.Cycle()
	at := slices.IndexFunc(list, func(choice Choice) bool { return choice.same(present(e)) })
	if len(list) == 0 || at == 0 && len(list) == 1 {
		e.warn("There is no other model to go to: name some under roles: default: or cycle: in config.yaml. /model chooses from all.")
		return
	}
	e.setModel(list[(at+1)%len(list)])
}

func (c Choice) same(other Choice) bool {
	return c.Provider == other.Provider && c.Model == other.Model
}

// present is the model that answers, or the one that was asked for since.
func present(e *Engine) Choice {
	if e.picking.model.Provider != "" {
		return e.picking.model
	}
	return Choice{Provider: e.Talk.Provider, Model: e.Talk.Model}
}

// auto is the word for thinking as long as a model does by itself.
const auto = "auto"

// thinking has the model think longer or shorter from now on.
func (e *Engine) thinking(level string) {
	level = strings.ToLower(level)
	if level == "" {
		e.say("/thinking wants a word: " + strings.Join(Levels()[:7], ", ") + " or max")
		return
	}
	effort := strings.TrimPrefix(level, auto)
	e.picking.effort = &effort
	e.picking.asked++
	e.ask("change how long the model thinks", messages.SetModel{Effort: level})
}

// Levels are the words for how long a model thinks, from the least behind the usual one.
func Levels() []string {
	return []string{auto, "off", "minimal", "low", "medium", "high", "xhigh", "max"}
}

// NextEffort goes to the next effort that the present model takes; behind the last one it
// thinks as it does by itself.
func NextEffort(e *Engine) {
	model := present(e)
	steps, known := e.Host.Efforts(model)
	if known && len(steps) == 0 {
		e.warn(model.Model + " cannot be told how long to think.")
		return
	}
	if !known {
		steps = []string{"low", "medium", "high"}
	}
	now := e.Talk.Effort
	if e.picking.effort != nil {
		now = *e.picking.effort
	}
	next := auto
	if at := slices.Index(steps, now); now == "" {
		next = steps[0]
	} else if at+1 < len(steps) { // from one that this model does not take, to its first
		next = steps[at+1]
	}
	e.thinking(next)
}

// chosen keeps what a person chose, once the conversation has it.
func chosen(e *Engine, event messages.Event) {
	kept := &e.picking.unkept
	mine := e.picking.asked > 0
	switch event := event.(type) {
	case messages.ModelChanged:
		if event.Why != "" {
			return
		}
		if e.picking.model.same(Choice{Provider: event.Provider, Model: event.Model}) {
			e.picking.model = Choice{}
		}
		if mine {
			kept.Provider, kept.Model = event.Provider, event.Model
		}
	case messages.EffortChanged:
		if e.picking.effort != nil && *e.picking.effort == event.Effort {
			e.picking.effort = nil
		}
		if kept.Effort = event.Effort; event.Effort == "" {
			kept.Effort = auto
		}
		if !mine {
			kept.Effort = ""
		}
	default:
		return
	}
	if e.picking.asked--; e.picking.asked <= 0 {
		e.picking.asked, e.picking.model, e.picking.effort = 0, Choice{}, nil
	}
	keep(e)
}

// keep writes what is to be kept, one choice after the other: the last one holds.
func keep(e *Engine) {
	kept := e.picking.unkept
	if e.picking.writes || kept == (Kept{}) {
		return
	}
	e.picking.unkept, e.picking.writes = Kept{}, true
	e.beside("keep the choice", func(context.Context) func() {
		place, err := e.Host.Keep(kept)
		return func() {
			e.picking.writes = false
			switch {
			case err != nil:
				e.warn("The choice holds, and is not kept for the next start: " + err.Error())
			case place != "" && !e.picking.told:
				e.picking.told = true
				e.say("Marvin begins with that in " + place + " from now on; /model default forgets it.")
			}
			keep(e)
		}
	})
}

// usualModel forgets what was chosen for the project, and goes back to what is usual.
func usualModel(e *Engine) {
	e.beside("forget the choice", func(context.Context) func() {
		usual, effort, err := e.Host.Forget()
		return func() {
			if err != nil {
				e.fail(err)
				return
			}
			e.ask("switch the model", messages.SetModel{Provider: usual.Provider, Model: usual.Model, Effort: effort})
		}
	})
}

// Kept is what a person chose: a model with its provider, or an effort. What is "" stays.
type Kept struct{ Provider, Model, Effort string }
