package messages

import "encoding/json"

// storedCall is the stored form of a [ToolCall]. Args is a string, because the arguments can be
// invalid JSON, and later requests must repeat the same bytes.
type storedCall struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Args   string `json:"args,omitempty"`
	Opaque string `json:"opaque,omitempty"`
	Origin string `json:"origin,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (c ToolCall) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedCall{c.ID, c.Name, string(c.Args), string(c.Opaque), c.Origin})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	var stored storedCall
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	*c = ToolCall{ID: stored.ID, Name: stored.Name, Origin: stored.Origin}
	if stored.Args != "" {
		c.Args = json.RawMessage(stored.Args)
	}
	if stored.Opaque != "" {
		c.Opaque = json.RawMessage(stored.Opaque)
	}
	return nil
}
