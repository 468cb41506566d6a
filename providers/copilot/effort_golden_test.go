package copilot

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/providers"
)

func TestCLIEffortAndErrors(t *testing.T) {
	var out strings.Builder
	show := func(name string, value any) {
		sent, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s: %s\n", name, sent)
	}
	for _, effort := range []providers.Effort{"", providers.Off, providers.Minimal, providers.Low, providers.Medium, providers.High, providers.XHigh, providers.Max} {
		m := &Model{}
		asked := m.effort(providers.Question{Effort: effort})
		m.unasked = true
		fmt.Fprintf(&out, "effort %q: %q, once refused %q\n", effort, asked, m.effort(providers.Question{Effort: effort}))
	}
	for _, test := range []struct{ effort, err string }{
		{"high", "Unsupported parameter: 'REASONING_effort'"}, {"high", "no such Effort"}, {"high", "reasoning is off"}, {"high", "bad key"}, {"", "reasoning is off"}, {"high", ""},
	} {
		m, turn := &Model{config: Config{Model: "m1"}}, newTurn(nil)
		var err error
		if test.err != "" {
			err = errors.New(test.err)
		}
		fmt.Fprintf(&out, "%q, %q refused: %t, %t, %q\n", test.effort, test.err, m.refusesEffort(test.effort, err, turn), m.unasked, turn.reply.Notices)
	}
	seen, unseen := messages.Picture{Type: "image/png", Name: "a.png", Data: []byte{1, 2, 3}}, messages.Picture{Type: "image/gif", Name: "b.gif", Note: "too large"}
	for _, result := range []messages.ToolResult{
		{}, {Text: "done"}, {Text: "done", Pictures: []messages.Picture{unseen}}, {Pictures: []messages.Picture{seen}}, {Text: "two", Pictures: []messages.Picture{unseen, seen, seen}},
	} {
		show("result", handOver(result))
	}
	show("pictures to GitHub's models", sees(nil))
	show("pictures to one's own", sees(&sdk.ProviderConfig{}))
	declared, err := declare([]providers.ToolSpec{{Name: "look", Doc: "Looks.", Schema: []byte(`{"type":"object"}`)}, {Name: "go", Schema: []byte(`{}`)}})
	fmt.Fprintln(&out, "declared:", err)
	for _, tool := range declared {
		show("  tool", tool)
	}
	_, err = declare([]providers.ToolSpec{{Name: "look", Schema: []byte(`{`)}})
	fmt.Fprintln(&out, "declared:", err)
	status := func(n int32) *int32 { return &n }
	for _, data := range []sdk.SessionErrorData{
		{ErrorType: "rate_limit", Message: "slow down"},
		{ErrorType: "quota", Message: "used up"},
		{ErrorType: "authentication", Message: "bad key"},
		{ErrorType: "authorization", Message: "not for you"},
		{ErrorType: "quota", Message: "down", StatusCode: status(503)},
		{ErrorType: "query", Message: "moved", StatusCode: status(399)},
		{ErrorType: "query", Message: "bad", StatusCode: status(400)},
		{ErrorType: "authentication", Message: "No GitHub OAuth token"},
		{ErrorType: "context_limit", Message: "full", StatusCode: status(400)},
		{ErrorType: "query", Message: "Could not connect to x"},
		{ErrorType: "query", Message: "Could not connect to x", StatusCode: status(502)},
		{ErrorType: "query", Message: "new"},
		{},
	} {
		err := failure(&data)
		fmt.Fprintf(&out, "error %s: %v; no key %t, too long %t, unreachable %t\n", data.ErrorType, err, errors.Is(err, providers.ErrNoKey), errors.Is(err, providers.ErrTooLong), errors.Is(err, providers.ErrUnreachable))
	}
	goldentest.Assert(t, "told.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Results go only to the session that waits for them.
func TestResultsGoToTheirSession(t *testing.T) {
	type all = []messages.Message
	two := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "x"}, {ID: "y"}}}
	system := messages.Message{Role: messages.System, Text: "news"}
	s := &session{seen: all{user("go")}, open: []pending{{request: "1"}, {request: "2"}}}
	for _, test := range []struct {
		name string
		now  all
		want string
	}{
		{"both", all{user("go"), two, result("a"), result("b")}, "a|b"},
		{"and what is told behind them", all{user("go"), two, result("a"), result("b"), system, user("and")}, "a|b\n\nnews\n\nand"},
		{"one", all{user("go"), two, result("a")}, ""},
		{"three", all{user("go"), two, result("a"), result("b"), result("c")}, ""},
		{"a prompt between", all{user("go"), two, result("a"), user("b")}, ""},
		{"an answer behind", all{user("go"), two, result("a"), result("b"), assistant("done")}, ""},
		{"of one call", all{user("go"), calling(""), result("a"), result("b")}, ""},
		{"no calls", all{user("go"), assistant("no"), result("a"), result("b")}, ""},
		{"of a person", all{user("go"), {Role: messages.User, Calls: two.Calls}, result("a"), result("b")}, ""},
		{"of another beginning", all{user("Go"), two, result("a"), result("b")}, ""},
	} {
		results, ok := s.results(test.now)
		var texts []string
		for _, result := range results {
			texts = append(texts, result.Text)
		}
		if got := strings.Join(texts, "|"); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s: %q, %t", test.name, got, ok)
		}
	}
	if _, ok := (&session{seen: all{user("go")}}).results(all{user("go"), assistant("no")}); ok {
		t.Error("results of no calls")
	}
	if err := s.answer(t.Context(), []messages.ToolResult{{}}); err == nil || err.Error() != "internal error: 2 tool calls have 1 results" || len(s.open) != 2 {
		t.Errorf("%v, %d open", err, len(s.open))
	}
	here := &process{}
	s.process, s.system = here, "You are Marvin."
	for name, question := range map[string]providers.Question{
		"another system text":     {System: "You are another.", Messages: all{user("go"), two, result("a"), result("b")}},
		"a prompt with open ones": {System: s.system, Messages: all{user("go"), user("on")}},
		"nothing new":             {System: s.system, Messages: all{user("go")}},
	} {
		if prompt, answered, err := s.resume(t.Context(), here, question); prompt != "" || answered || err != nil {
			t.Errorf("%s: %q, %t, %v", name, prompt, answered, err)
		}
	}
	s.open = nil
	if prompt, answered, err := s.resume(t.Context(), here, providers.Question{System: s.system, Messages: all{user("go"), user("on")}}); prompt != "on" || answered || err != nil {
		t.Errorf("a prompt: %q, %t, %v", prompt, answered, err)
	}
	if prompt, _, err := s.resume(t.Context(), &process{}, providers.Question{System: s.system, Messages: all{user("go"), user("on")}}); prompt != "" || err != nil {
		t.Errorf("another process: %q, %v", prompt, err)
	}
}
