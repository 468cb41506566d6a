package tools

import (
	"bytes"
	"encoding/json"
)

// Arguments are those of the call as the tool gets them: under the names of its schema, with
// defaults, whatever a model wrote. A hook that looks at one sees it under one name. It is
// nil for a tool whose calls do not say.
func (c Call) Arguments() json.RawMessage {
	if c.args == nil {
		return nil
	}
	args, err := c.args()
	if err != nil {
		return nil // what was decoded from JSON is JSON again
	}
	return args
}

// plainJSON is JSON in which a shell command reads as it was written: && is no \u0026.
func plainJSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
