package messages

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// UnmarshalJSON reads an envelope that another process wrote. It ignores unknown fields. An event
// of an unknown type becomes an empty [Notice].
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

var everyEvent = append([]Event(nil),
	Opened{}, TurnStarted{}, Text{}, Thinking{}, ToolsCalled{}, ToolStarted{}, ToolOutput{},
	ToolEnded{}, AgentChanged{}, AgentShown{}, Diagnosed{}, Asked{}, Answered{}, PlanChanged{},
	Granted{}, ContextShown{}, NeedsShown{}, Changes{}, EffortChanged{}, Refused{}, Steered{},
	Withdrawn{}, Notice{}, Waiting{}, ModelChanged{}, Cleared{}, ModeChanged{}, Compacted{},
	UsageChanged{}, TurnEnded{}, Resumed{}, Recalled{}, Tree{}, Artifacts{}, Rewound{}, Closed{},
)

func decodeEvent(name string, body json.RawMessage) (Event, error) {
	at := slices.IndexFunc(everyEvent, func(one Event) bool { return one.eventName() == name })
	if at < 0 {
		return Notice{}, nil
	}
	into := reflect.New(reflect.TypeOf(everyEvent[at]))
	err := json.Unmarshal(body, into.Interface())
	return into.Elem().Interface().(Event), err
}
