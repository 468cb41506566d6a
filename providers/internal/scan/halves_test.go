package scan

import (
	"encoding/json"
	"strings"
	"testing"
)

// A character that is divided between two events is complete, wherever it is divided.
func TestACharacterInTwoEventsIsWhole(t *testing.T) {
	for name, events := range map[string][]string{
		"escapes":          {`{"a":{"text":"x \ud83d"}}`, `{"a":{"text":"\ude00 y"}}`},
		"capital letters":  {`{"a":{"text":"x \uD83D"}}`, `{"a":{"text":"\uDE00 y"}}`},
		"bytes":            {"{\"a\":{\"text\":\"x \xf0\x9f\"}}", "{\"a\":{\"text\":\"\x98\x80 y\"}}"},
		"one byte":         {"{\"a\":{\"text\":\"x \xf0\"}}", "{\"a\":{\"text\":\"\x9f\x98\x80 y\"}}"},
		"an event between": {`{"a":{"text":"x \ud83d"},"n":"b"}`, `{"ping":"\u00e4"}`, `{"a":{"text":"\ude00 y"}}`},
		"whole ones":       {`{"a":{"text":"x \ud83d\ude00"}}`, `{"a":{"text":" y"}}`},
	} {
		var halves HalfJoiner
		var text strings.Builder
		for _, event := range events {
			var said struct{ A struct{ Text string } }
			if err := json.Unmarshal(halves.Join([]byte(event)), &said); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			text.WriteString(said.A.Text)
		}
		if text.String() != "x 😀 y" {
			t.Errorf("%s: %q", name, text.String())
		}
	}
	for _, event := range []string{`{"a":"\\ud83d"}`, `{"a":"\"\\\\ud83d"}`, `{"a":"\ud83d\ude00"}`, `{"a":"ä"}`, `{"a":"\ude00"}`} {
		var halves HalfJoiner
		if joined := halves.Join([]byte(event)); string(joined) != event || halves.first != nil {
			t.Errorf("%s became %s", event, joined)
		}
	}
}
