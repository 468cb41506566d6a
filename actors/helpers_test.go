package actors_test

import (
	"encoding/json"
	"testing"
)

// messagesOf returns the messages array of a request's body as bytes.
func messagesOf(t *testing.T, body []byte) []byte { return []byte(field(t, body, "messages")) }

func toolsOf(t *testing.T, body []byte) string { return field(t, body, "tools") }

func field(t *testing.T, body []byte, name string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[name])
}
