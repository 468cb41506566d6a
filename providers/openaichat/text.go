package openaichat

import (
	"bytes"
	"encoding/json"
)

// writeText writes text as a JSON string, without the escapes that only HTML needs, as openai-go
// does. Invalid UTF-8 becomes U+FFFD.
func writeText(out *bytes.Buffer, text string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("openaichat: " + err.Error()) // encoding a string cannot fail
	}
	out.Truncate(out.Len() - 1) // the line break
}
