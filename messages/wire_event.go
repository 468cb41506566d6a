package messages

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"
)

// UnmarshalJSON reads an envelope that another process wrote. Unknown fields are ignored; an
// unknown type of event becomes a [Notice] without a text.
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

// eventTable holds the JSON name of each type of event, and for each name the function that reads
// the body.
type eventTable struct {
	names   map[reflect.Type]string
	readers map[string]func(json.RawMessage) (Event, error)
}

// eventTypes are all types of events. The table is made on first use.
var eventTypes = sync.OnceValue(func() eventTable {
	all := eventTable{map[reflect.Type]string{}, map[string]func(json.RawMessage) (Event, error){}}
	nameEvent[Opened](all, "opened")
	nameEvent[TurnStarted](all, "turn_started")
	nameEvent[Text](all, "text")
	nameEvent[Thinking](all, "thinking")
	nameEvent[ToolsCalled](all, "tools_called")
	nameEvent[ToolStarted](all, "tool_started")
	nameEvent[ToolOutput](all, "tool_output")
	nameEvent[ToolEnded](all, "tool_ended")
	nameEvent[AgentChanged](all, "agent_changed")
	nameEvent[AgentShown](all, "agent")
	nameEvent[Diagnosed](all, "diagnosed")
	nameEvent[Asked](all, "asked")
	nameEvent[Answered](all, "answered")
	nameEvent[PlanChanged](all, "plan_changed")
	nameEvent[Granted](all, "grants")
	nameEvent[ContextShown](all, "context")
	nameEvent[NeedsShown](all, "needs")
	nameEvent[Changes](all, "changes")
	nameEvent[EffortChanged](all, "effort_changed")
	nameEvent[Refused](all, "refused")
	nameEvent[Steered](all, "steered")
	nameEvent[Withdrawn](all, "withdrawn")
	nameEvent[Notice](all, "notice")
	nameEvent[Waiting](all, "waiting")
	nameEvent[ModelChanged](all, "model_changed")
	nameEvent[Cleared](all, "cleared")
	nameEvent[ModeChanged](all, "mode_changed")
	nameEvent[Compacted](all, "compacted")
	nameEvent[UsageChanged](all, "usage_changed")
	nameEvent[TurnEnded](all, "turn_ended")
	nameEvent[Resumed](all, "resumed")
	nameEvent[Recalled](all, "recalled")
	nameEvent[Tree](all, "tree")
	nameEvent[Artifacts](all, "artifacts")
	nameEvent[Rewound](all, "rewound")
	nameEvent[Closed](all, "closed")
	return all
})

func nameEvent[E Event](all eventTable, name string) {
	all.names[reflect.TypeFor[E]()] = name
	all.readers[name] = func(body json.RawMessage) (Event, error) {
		var event E
		err := json.Unmarshal(body, &event)
		return event, err
	}
}

func decodeEvent(name string, body json.RawMessage) (Event, error) {
	if read := eventTypes().readers[name]; read != nil {
		return read(body)
	}
	return Notice{}, nil
}
