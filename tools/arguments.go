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
	return c.args()
}

// plainJSON is JSON in which a shell command reads as it was written: && is no \u0026.
func plainJSON(value any) json.RawMessage {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil
	}
	return bytes.TrimSpace(text.Bytes())
}
