package openaichat

import (
	"bytes"
	"encoding/json"
)

// writeText writes a JSON string. Like openai-go, it does not escape <, > or &. Invalid UTF-8
// becomes U+FFFD.
func writeText(out *bytes.Buffer, text string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("openaichat: " + err.Error()) // encoding a string cannot fail
	}
	out.Truncate(out.Len() - 1) // the line break
}
