package hooks

import "slices"

// Event is the name of an event, such as "agent.stop".
type Event string

// The events, in the order in which they occur. An agent event concerns a whole prompt. A turn
// event concerns one request to the model and the model's reply.
const (
	AppStart        Event = "app.start"
	SessionStart    Event = "session.start"
	SessionResume   Event = "session.resume"
	SessionClear    Event = "session.clear"
	AgentStart      Event = "agent.start"
	TurnStart       Event = "turn.start"
	ToolBefore      Event = "tool.execute.before"
	PermissionAsked Event = "permission.asked"
	ToolAfter       Event = "tool.execute.after"
	SessionCompact  Event = "session.compact"
	TurnEnd         Event = "turn.end"
	AgentStop       Event = "agent.stop"
	AgentEnd        Event = "agent.end"
)

// gates contains the events at which a failed hook counts as a refusal.
var gates = []Event{ToolBefore, AgentStart, TurnStart}

// Gate reports whether a failed hook prevents the action.
func (e Event) Gate() bool { return slices.Contains(gates, e) }

// refusalCounts reports whether a refusal has an effect at the event. Otherwise, the reason for the
// refusal becomes context for the model.
func (e Event) refusalCounts() bool { return e.Gate() || e == AgentStop || e == SessionCompact }
