package responses

import (
	"testing"

	"marvin/messages"
	"marvin/providers"
)

// A conversation keeps the name of its cache: the name depends on the first message and the system
// text, and not on later messages.
func TestAConversationKeepsItsName(t *testing.T) {
	user := func(text string) messages.Message { return messages.Message{Role: messages.User, Text: text} }
	answer := messages.Message{Role: messages.Assistant, Text: "a"}
	key := cacheKey("s", []messages.Message{user("go")})
	if len(key) != 32 {
		t.Errorf("%q", key)
	}
	for name, row := range map[string]struct {
		system string
		all    []messages.Message
		same   bool
	}{
		"later":           {"s", []messages.Message{user("go"), answer, user("on")}, true},
		"words before it": {"s", []messages.Message{answer, user("go")}, true},
		"another system":  {"t", []messages.Message{user("go")}, false},
		"other words":     {"s", []messages.Message{user("come")}, false},
		"no words":        {"s", []messages.Message{answer}, false},
	} {
		if (cacheKey(row.system, row.all) == key) != row.same {
			t.Errorf("%s: the name is the same: %t", name, !row.same)
		}
	}
	has := []providers.Effort{providers.Low, providers.Max}
	for effort, want := range map[providers.Effort][2]string{
		providers.Off: {"none", "none"}, providers.Low: {"low", "low"}, providers.Max: {"max", "xhigh"}, providers.XHigh: {"xhigh", "xhigh"},
	} {
		if got := [2]string{word(effort, has), word(effort, nil)}; got != want {
			t.Errorf("%s is %q, want %q", effort, got, want)
		}
	}
}
