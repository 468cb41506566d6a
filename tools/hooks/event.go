package hooks

import "slices"

// Event is something that happens, by its name in the configuration.
type Event string

// The events, in the order of a life. A prompt is an agent's, a turn is one question to the
// model with its answer.
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

// gates are the events that come before something, which only happens after a clear yes.
var gates = []Event{ToolBefore, AgentStart, TurnStart}

// Gate says that nothing happens if a hook of the event fails, whatever the failure.
func (e Event) Gate() bool { return slices.Contains(gates, e) }

// answers says that a no to the event means something: at a gate, and where the model would
// end or the conversation be summarized. Elsewhere it is words for the model.
func (e Event) answers() bool { return e.Gate() || e == AgentStop || e == SessionCompact }
