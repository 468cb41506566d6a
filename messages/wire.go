package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// WireVersion is the version of the JSON form of envelopes. It increases when a field is removed or
// changes its meaning. A new field does not change the version.
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

// EventName returns the JSON name of an event's type.
func EventName(e Event) string { return e.eventName() }

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

// encode is json.Marshal without HTML escapes, which would make < and & in answers and model names
// hard to read.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}
