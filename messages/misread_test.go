package messages_test

import (
	"encoding/json"
	"testing"

	"marvin/messages"
)

func TestPlainRequestErrors(t *testing.T) {
	for line, want := range map[string]string{
		`nonsense`:                                      "it cannot be read after byte 2",
		`{"type":"prompt"`:                              "the JSON ends too early",
		`["prompt"]`:                                    "it is a JSON array, not an object",
		`{"type":7}`:                                    "type holds a JSON number, not text",
		`{"type":"prompt","op":{"txt":"x"}}`:            `the field "op" of prompt: there is no field "txt"`,
		`{"type":"prompt","op":{"text":7}}`:             "the field \"op\" of prompt: text holds a JSON number, not text",
		`{"type":"prompt","op":["x"]}`:                  "the field \"op\" of prompt: it is a JSON array, not an object",
		`{"type":"prompt","op":{"text":"x"},"v":"one"}`: "v holds a JSON string, not a number",
	} {
		var request messages.Request
		if err := messages.Misread(json.Unmarshal([]byte(line), &request)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
