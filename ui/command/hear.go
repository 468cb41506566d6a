package command

import (
	"strings"

	"marvin/messages"
	"marvin/ui"
)

// Hear receives the next event of the conversation. Every event must come here, after
// [Engine.Talk], and before or after the front end shows it.
func (e *Engine) Hear(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.ContextShown:
		e.awaits = ""
		e.say(ui.ContextTable(event.Parts))
	case messages.Opened:
		for _, line := range e.Greeting {
			e.say(line)
		}
		if e.Begins != "" {
			e.Take(e.Begins)
		}
		newcomer{e}.begin()
	case messages.AgentShown:
		if !event.More { // which nobody typed
			e.awaits = ""
		}
	case messages.AgentChanged:
		if event.State == messages.AgentStopped {
			e.awaits = ""
		}
	case messages.Tree:
		e.awaits = ""
		e.branches().treeRead(event)
	case messages.Changes:
		e.awaits = ""
		e.changed(event)
	case messages.NeedsShown:
		e.awaits = ""
		e.models().needed(event)
	case messages.EffortChanged:
		e.models().chosen(event)
	case messages.Artifacts:
		e.awaits = ""
		e.artifacts().read(event.All)
	case messages.Cleared:
		if event.Why != messages.ClearedRewind && event.Why != messages.ClearedResume && event.Why != messages.ClearedBranch {
			e.awaits = "" // otherwise what it is now is still to come
		}
	case messages.ModelChanged:
		e.awaits = ""
		e.models().chosen(event)
	case messages.Notice:
		e.awaits = ""
		if event.Level == messages.Problem { // it may be why there is no other model
			e.picking.model, e.picking.effort, e.picking.asked = Choice{}, nil, 0
		}
	case messages.ModeChanged, messages.Granted, messages.ToolEnded, messages.TurnStarted, messages.TurnEnded, messages.Resumed, messages.Rewound:
		e.awaits = "" // the conversation did what it was asked for, or said why not
	default: // is not about the request
	}
}

// head is the beginning of a text, whole characters, with a word if it is not all.
func head(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + "\n[… cut]"
}
