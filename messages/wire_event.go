package messages

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// UnmarshalJSON reads an envelope that another process wrote. Fields that are not known are
// passed over; a type that is not known is a [Notice] without a text.
func (e *Envelope) UnmarshalJSON(data []byte) error {
	var wire wireEnvelope
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	if wire.Version > WireVersion {
		return fmt.Errorf("version %d is unknown; this Marvin speaks %d", wire.Version, WireVersion)
	}
	event, err := decodeEvent(wire.Type, wire.Event)
	if err != nil {
		return fmt.Errorf("event %s: %w", wire.Type, err)
	}
	at, err := time.Parse(time.RFC3339Nano, wire.At)
	if err != nil {
		return fmt.Errorf("event %s: %w", wire.Type, err)
	}
	*e = Envelope{Seq: wire.Seq, Session: wire.Session, Turn: wire.Turn, At: at, Event: event}
	return nil
}

// eventReaders decode the body of each type of event. Few processes need them.
var eventReaders = sync.OnceValue(func() map[string]func(json.RawMessage) (Event, error) {
	return map[string]func(json.RawMessage) (Event, error){
		"opened": readEvent[Opened], "turn_started": readEvent[TurnStarted], "text": readEvent[Text], "thinking": readEvent[Thinking],
		"tools_called": readEvent[ToolsCalled], "tool_started": readEvent[ToolStarted], "tool_output": readEvent[ToolOutput], "tool_ended": readEvent[ToolEnded],
		"agent_changed": readEvent[AgentChanged], "agent": readEvent[AgentShown], "diagnosed": readEvent[Diagnosed],
		"asked": readEvent[Asked], "answered": readEvent[Answered], "plan_changed": readEvent[PlanChanged], "grants": readEvent[Granted],
		"context": readEvent[ContextShown], "needs": readEvent[NeedsShown], "effort_changed": readEvent[EffortChanged],
		"refused": readEvent[Refused], "steered": readEvent[Steered], "withdrawn": readEvent[Withdrawn], "notice": readEvent[Notice], "waiting": readEvent[Waiting],
		"model_changed": readEvent[ModelChanged], "mode_changed": readEvent[ModeChanged], "cleared": readEvent[Cleared], "compacted": readEvent[Compacted],
		"usage_changed": readEvent[UsageChanged], "turn_ended": readEvent[TurnEnded], "resumed": readEvent[Resumed], "recalled": readEvent[Recalled],
		"tree": readEvent[Tree], "changes": readEvent[Changes], "artifacts": readEvent[Artifacts], "rewound": readEvent[Rewound], "closed": readEvent[Closed],
	}
})

func readEvent[E Event](body json.RawMessage) (Event, error) {
	var event E
	err := json.Unmarshal(body, &event)
	return event, err
}

func decodeEvent(name string, body json.RawMessage) (Event, error) {
	if read := eventReaders()[name]; read != nil {
		return read(body)
	}
	return Notice{}, nil
}
