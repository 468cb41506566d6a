package tokens

import (
	"encoding/json"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
)

func TestEachPartOfAQuestionCounts(t *testing.T) {
	words := strings.Repeat("several words of text ", 20)
	base := providers.Question{System: "S"}
	picture := []messages.Picture{{Data: []byte("PNG")}, {Note: "without data"}}
	counter := &Counter{}
	meter := counter.MeterFor("p", "m")
	least := meter.Count(base, 0)
	if meter.Text(words) < 60 || meter.Text("") != 0 || meter.Count(base, 1<<20) != Bound(base) || least < 1 {
		t.Errorf("%d, %d, %d of %d", meter.Text(words), meter.Text(""), meter.Count(base, 1<<20), Bound(base))
	}
	for name, test := range map[string]struct {
		change      func(*providers.Question)
		most, count int // more than the base, at least
	}{
		"system":  {func(q *providers.Question) { q.System = words }, len(words) - 1, 60},
		"message": {func(q *providers.Question) { q.Messages = []messages.Message{{Text: words}} }, len(words) + 2*messageTokens, 60 + messageTokens},
		"result": {func(q *providers.Question) {
			q.Messages = []messages.Message{{Result: messages.ToolResult{Text: words}}}
		}, len(words) + 2*messageTokens, 60 + messageTokens},
		"call": {func(q *providers.Question) {
			q.Messages = []messages.Message{{Calls: []messages.ToolCall{{Name: words}}}}
		}, len(words) + 2*messageTokens + 2*callTokens, 60 + messageTokens + callTokens},
		"arguments": {func(q *providers.Question) {
			q.Messages = []messages.Message{{Calls: []messages.ToolCall{{Args: json.RawMessage(words)}}}}
		}, len(words) + 2*messageTokens + 2*callTokens, 60 + messageTokens + callTokens},
		"picture": {func(q *providers.Question) { q.Messages = []messages.Message{{Pictures: picture}} }, pictureTokens + 2*messageTokens, pictureTokens + messageTokens},
		"of result": {func(q *providers.Question) {
			q.Messages = []messages.Message{{Result: messages.ToolResult{Pictures: picture}}}
		}, pictureTokens + 2*messageTokens, pictureTokens + messageTokens},
		"tool":       {func(q *providers.Question) { q.Tools = []providers.ToolSpec{{Name: words}} }, len(words)/2 + 2*toolTokens, 60 + toolTokens},
		"tool's doc": {func(q *providers.Question) { q.Tools = []providers.ToolSpec{{Doc: words}} }, len(words)/2 + 2*toolTokens, 60 + toolTokens},
		"schema":     {func(q *providers.Question) { q.Tools = []providers.ToolSpec{{Schema: json.RawMessage(words)}} }, len(words)/2 + 2*toolTokens, 60 + toolTokens},
	} {
		question := base
		test.change(&question)
		if bound := Bound(question) - Bound(base); bound != test.most {
			t.Errorf("%s: the bound rises by %d, want %d", name, bound, test.most)
		}
		count := meter.Count(question, 0)
		if more := count - least; more < test.count || more > test.most {
			t.Errorf("%s: counted are %d more, want %d to %d", name, more, test.count, test.most)
		}
		if exact := meter.Count(question, Bound(question)); exact != count || meter.Count(question, Bound(question)+1) != Bound(question) {
			t.Errorf("%s: %d at the bound, want %d, and the bound above it", name, exact, count)
		}
	}
}
