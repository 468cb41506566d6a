package command

import (
	"marvin/messages"
	"marvin/ui"
)

// Hear handles the next event of the conversation. The front end must pass every event to Hear, but
// only after it has applied the event to [Engine.Talk].
func (e *Engine) Hear(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.ContextShown:
		e.awaits = ""
		e.say(ui.ContextTable(event.Parts))
	case messages.Opened:
		for _, line := range e.Greeting {
			e.say(line)
		}
		if e.FirstLine != "" {
			e.Take(e.FirstLine)
		}
		firstStartGuide{e}.begin()
	case messages.AgentShown:
		if !event.More { // commands never set VisitAgent.More
			e.awaits = ""
		}
	case messages.AgentChanged:
		if event.State == messages.AgentStopped {
			e.awaits = ""
		}
	case messages.Tree:
		e.awaits = ""
		answer(&e.waits.tree, event.Turns)
	case messages.Changes:
		e.awaits = ""
		answer(&e.waits.changes, event)
	case messages.NeedsShown:
		e.awaits = ""
		answer(&e.picking.then, event)
	case messages.EffortChanged:
		e.models().storeChoice(event)
	case messages.Artifacts:
		e.awaits = ""
		answer(&e.waits.kept, event.All)
	case messages.Cleared:
		if event.Why != messages.ClearedRewind && event.Why != messages.ClearedResume && event.Why != messages.ClearedBranch {
			e.awaits = "" // for the other reasons, Resumed or Rewound follows
		}
	case messages.ModelChanged:
		e.awaits = ""
		e.models().storeChoice(event)
	case messages.Notice:
		e.awaits = ""
		if event.Level == messages.Problem { // the problem may be the reason why the model did not change
			e.picking.model, e.picking.effort, e.picking.asked = Choice{}, nil, 0
		}
	case messages.ModeChanged, messages.Granted, messages.ToolEnded, messages.TurnStarted, messages.TurnEnded, messages.Resumed, messages.Rewound:
		e.awaits = "" // the conversation confirmed or refused the request
	default: // the event does not concern the request
	}
}
