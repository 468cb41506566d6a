package command

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/view"
)

// choiceState tracks the model and the effort that the user has requested but the conversation has
// not confirmed yet.
type choiceState struct {
	then   func(messages.NeedsShown) // called when the answer to messages.ShowNeeds arrives
	model  Choice                    // last requested model; zero after its confirmation
	effort *string                   // last requested effort; nil after its confirmation
	asked  int                       // number of unconfirmed choices
	unkept ModelChoice               // choice to store for the project
	writes bool                      // a choice is being stored
	told   bool                      // a notice has named the place of stored choices
	all    []Choice                  // most recently loaded models; nil if none have been loaded
	shown  []Choice                  // models as numbered on the screen
}

type models struct {
	*Env
	picking  *choiceState
	numbered *numbered
}

// choose lets the user select a model from a list. The known models are in the list at once, and
// the providers' models are added later. If the front end cannot show lists, all models are printed
// with numbers as soon as they are known.
func (m models) choose(needs messages.NeedsShown) {
	list := m.Host.KnownModels(needs)
	pick := Pick{List: view.List{Title: "Which model should answer?", Items: m.items(list)}}
	pick.Chosen = func(at int) { m.set(list[at]) }
	pick.Later = func() func() []view.Item {
		all := m.Host.Models(context.Background(), needs) // Host.Models has its own time limit
		return func() []view.Item {
			list, m.picking.all = all, all
			return m.items(all)
		}
	}
	if m.Front.Pick(pick) {
		return
	}
	m.runOutside("list the models", func(ctx context.Context) func() {
		all := m.Host.Models(ctx, needs)
		return func() {
			if ctx.Err() == nil {
				m.picking.all = all
				m.list(all)
			}
		}
	})
}

func (m models) items(list []Choice) []view.Item {
	items := make([]view.Item, len(list))
	for i, choice := range list {
		preview := choice.Details
		if choice.MissingAbilities != "" {
			preview = "lacks: " + choice.MissingAbilities + "\n" + preview
		}
		items[i] = view.Item{
			Text: choice.Provider + " " + choice.Model, Note: join("  ", choice.missingAbilities(), choice.About), Preview: preview,
			Now: choice.Provider == m.Talk.Provider && choice.Model == m.Talk.Model,
		}
	}
	return items
}

// missingAbilities prefixes c.MissingAbilities with "(!)", which is visible even without colors.
func (c Choice) missingAbilities() string {
	if c.MissingAbilities == "" {
		return ""
	}
	return "(!) " + c.MissingAbilities
}

// set asks the conversation to switch to another model. When the conversation confirms the switch,
// Marvin stores the model as the project's choice.
func (m models) set(choice Choice) {
	m.picking.model = choice
	m.picking.asked++
	m.ask("switch the model", messages.SetModel{Provider: choice.Provider, Model: choice.Model})
}

// next selects the next model in [Host.Cycle].
func (m models) next() {
	list := m.Host.Cycle()
	at := slices.IndexFunc(list, func(choice Choice) bool { return choice.same(m.present()) })
	if len(list) == 0 || at == 0 && len(list) == 1 {
		m.warn("There is no other model to switch to. List more models in config.yaml (under \"cycle:\", or under \"default:\" in \"roles:\"), or choose a model with /model.")
		return
	}
	m.set(list[(at+1)%len(list)])
}

func (c Choice) same(other Choice) bool {
	return c.Provider == other.Provider && c.Model == other.Model
}

// present returns the last requested model, or the current model if no request is pending.
func (m models) present() Choice {
	if m.picking.model.Provider != "" {
		return m.picking.model
	}
	return Choice{Provider: m.Talk.Provider, Model: m.Talk.Model}
}

// auto is the effort level that lets the model decide how long to think.
const auto = "auto"

func (m models) setEffort(level string) {
	level = strings.ToLower(level)
	if level == "" {
		m.chooseEffort()
		return
	}
	effort := strings.TrimPrefix(level, auto)
	m.picking.effort = &effort
	m.picking.asked++
	m.ask("change how long the model thinks", messages.SetModel{Effort: level})
}

// chooseEffort lets the user choose one of the current model's effort levels.
func (m models) chooseEffort() {
	levels, now := Levels(), cmp.Or(m.Talk.Effort, auto)
	if steps, known := m.Host.Efforts(m.present()); known {
		if len(steps) == 0 {
			m.warn(m.present().Model + " has no setting for how long it thinks.")
			return
		}
		levels = append([]string{auto}, steps...)
	}
	items := make([]view.Item, len(levels))
	for i, level := range levels {
		items[i] = view.Item{Text: level, Now: level == now}
	}
	items[0].Note = "the model's own default"
	if m.Front.Pick(Pick{List: view.List{Title: "How long should the model think before it answers?", Items: items}, Chosen: func(at int) { m.setEffort(levels[at]) }}) {
		return
	}
	m.say("Thinking: " + now + ". Change it with /thinking LEVEL; the levels are " + strings.Join(levels, ", ") + ".")
}

// Levels returns "auto", followed by the other effort levels in ascending order.
func Levels() []string {
	return []string{auto, "off", "minimal", "low", "medium", "high", "xhigh", "max"}
}

// nextEffort switches to the current model's next effort. The last effort is followed by auto.
func (m models) nextEffort() {
	model := m.present()
	steps, known := m.Host.Efforts(model)
	if known && len(steps) == 0 {
		m.warn(model.Model + " has no setting for how long it thinks.")
		return
	}
	if !known {
		steps = []string{"low", "medium", "high"}
	}
	now := m.Talk.Effort
	if m.picking.effort != nil {
		now = *m.picking.effort
	}
	next := auto
	if at := slices.Index(steps, now); now == "" {
		next = steps[0]
	} else if at+1 < len(steps) { // an unsupported effort has index -1, so steps[0] follows
		next = steps[at+1]
	}
	m.setEffort(next)
}

// storeChoice stores the user's choice after the conversation has confirmed it.
func (m models) storeChoice(event messages.Event) {
	kept := &m.picking.unkept
	mine := m.picking.asked > 0
	switch event := event.(type) {
	case messages.ModelChanged:
		if event.Why != "" {
			return
		}
		if m.picking.model.same(Choice{Provider: event.Provider, Model: event.Model}) {
			m.picking.model = Choice{}
		}
		if mine {
			kept.Provider, kept.Model = event.Provider, event.Model
		}
	case messages.EffortChanged:
		if m.picking.effort != nil && *m.picking.effort == event.Effort {
			m.picking.effort = nil
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
	if m.picking.asked--; m.picking.asked <= 0 {
		m.picking.asked, m.picking.model, m.picking.effort = 0, Choice{}, nil
	}
	m.keep()
}

// keep writes the pending choice with [Host.Keep]. Writes do not overlap, so the last choice wins.
func (m models) keep() {
	kept := m.picking.unkept
	if m.picking.writes || kept == (ModelChoice{}) {
		return
	}
	m.picking.unkept, m.picking.writes = ModelChoice{}, true
	m.runOutside("keep the choice", func(context.Context) func() {
		place, err := m.Host.Keep(kept)
		return func() {
			m.picking.writes = false
			switch {
			case err != nil:
				m.warn("The choice applies now, but Marvin could not save it for the next start: " + err.Error())
			case place != "" && !m.picking.told:
				m.picking.told = true
				m.say("From now on Marvin starts with this model in " + place + "; /model default resets it.")
			}
			m.keep()
		}
	})
}

// forget executes "/model default", which deletes the project's stored choice and switches to the
// default model and effort.
func (m models) forget() {
	m.runOutside("forget the choice", func(context.Context) func() {
		usual, effort, err := m.Host.Forget()
		return m.reportOr(err, func() {
			m.ask("switch the model", messages.SetModel{Provider: usual.Provider, Model: usual.Model, Effort: effort})
		})
	})
}

// ModelChoice is a choice to store. An empty field leaves the stored value unchanged. Provider and
// Model are both set or both empty.
type ModelChoice struct{ Provider, Model, Effort string }
