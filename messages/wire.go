package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// WireVersion is the version of the JSON form of envelopes. It grows
// when a field changes its meaning or goes away, not when one is added.
const WireVersion = 1

type wireEnvelope struct {
	Version int             `json:"v"`
	Seq     uint64          `json:"seq"`
	Session string          `json:"session"`
	Turn    string          `json:"turn,omitempty"`
	At      string          `json:"at"`
	Type    string          `json:"type"`
	Event   json.RawMessage `json:"event"`
}

// EventName is the JSON name of an event's type.
func EventName(e Event) string {
	switch e.(type) {
	case Opened:
		return "opened"
	case TurnStarted:
		return "turn_started"
	case Text:
		return "text"
	case Thinking:
		return "thinking"
	case ToolsCalled:
		return "tools_called"
	case ToolStarted:
		return "tool_started"
	case ToolOutput:
		return "tool_output"
	case ToolEnded:
		return "tool_ended"
	case AgentChanged:
		return "agent_changed"
	case AgentShown:
		return "agent"
	case Diagnosed:
		return "diagnosed"
	case Asked:
		return "asked"
	case Answered:
		return "answered"
	case PlanChanged:
		return "plan_changed"
	case Granted:
		return "grants"
	case ContextShown:
		return "context"
	case NeedsShown:
		return "needs"
	case Changes:
		return "changes"
	case EffortChanged:
		return "effort_changed"
	case Refused:
		return "refused"
	case Steered:
		return "steered"
	case Withdrawn:
		return "withdrawn"
	case Notice:
		return "notice"
	case Waiting:
		return "waiting"
	case ModelChanged:
		return "model_changed"
	case Cleared:
		return "cleared"
	case ModeChanged:
		return "mode_changed"
	case Compacted:
		return "compacted"
	case UsageChanged:
		return "usage_changed"
	case TurnEnded:
		return "turn_ended"
	case Resumed:
		return "resumed"
	case Recalled:
		return "recalled"
	case Tree:
		return "tree"
	case Artifacts:
		return "artifacts"
	case Rewound:
		return "rewound"
	case Closed:
		return "closed"
	}
	panic(fmt.Sprintf("messages: event %T has no wire name", e))
}

// MarshalJSON writes the envelope as one object without line breaks.
func (e Envelope) MarshalJSON() ([]byte, error) {
	body, err := encode(e.Event)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", EventName(e.Event), err)
	}
	return encode(wireEnvelope{
		Version: WireVersion, Seq: e.Seq, Session: e.Session, Turn: e.Turn,
		At: e.At.UTC().Format(time.RFC3339Nano), Type: EventName(e.Event), Event: body,
	})
}

// encode is json.Marshal without HTML escapes: model names and answers contain
// < and & and are read by people.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}
