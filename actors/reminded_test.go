package actors

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// Short rules are told again behind so much that was said since they were told last: other news
// of the program, and the same words of a person, are no telling of them.
func TestShortRulesAreToldAgainBehindALongTalk(t *testing.T) {
	const rules = "Never push."
	told := messages.Message{Role: messages.System, Text: "before\n" + prompt.Remember(rules)}
	long := func(bytes int) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Text: strings.Repeat("x", bytes)}}
	}
	other := messages.Message{Role: messages.System, Text: "other news"}
	quoted := messages.Message{Role: messages.User, Text: prompt.Remember(rules)}
	const asked = len("why?")
	for name, test := range map[string]struct {
		sticky string
		before []messages.Message
		again  bool
	}{
		"no rules":                  {"", []messages.Message{long(forgottenAfter * 2)}, false},
		"at the limit":              {rules, []messages.Message{long(forgottenAfter - asked)}, false},
		"beyond it":                 {rules, []messages.Message{long(forgottenAfter - asked + 1)}, true},
		"told since":                {rules, []messages.Message{long(forgottenAfter * 2), told, long(forgottenAfter - asked)}, false},
		"told long ago":             {rules, []messages.Message{told, long(forgottenAfter)}, true},
		"other news since":          {rules, []messages.Message{long(forgottenAfter * 2), other, long(10)}, true},
		"a person quoted them":      {rules, []messages.Message{long(forgottenAfter * 2), quoted, long(10)}, true},
		"texts and results, halves": {rules, []messages.Message{long(forgottenAfter / 2), {Role: messages.User, Text: strings.Repeat("x", forgottenAfter/2)}}, true},
	} {
		r := turnWith(preparing, Policy{})
		r.turn = transcript.New(test.before, "t1", messages.Message{Text: "why?"})
		r.preparation.parts.Sticky = test.sticky
		r.preparation.remind()
		all, again := r.turn.Messages(), 0
		for _, message := range all {
			if message.Role == messages.System && message.Text == prompt.Remember(rules) {
				again++
			}
		}
		if (again > 0) != test.again || len(all) != len(test.before)+1+again {
			t.Errorf("%s: told again %d times, %d messages", name, again, len(all))
		}
	}
}

// What comes of a question that was answered meanwhile, or whose time began anew, is let go.
func TestATimeThatRanOutLateSettlesNothing(t *testing.T) {
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	waits := &pendingAsk{asked: messages.Asked{Ask: "a", Deadline: now.Add(time.Minute)}}
	q := &questions{asks: map[string]*pendingAsk{"a": waits}}
	q.unanswered(nil, unanswered{ask: "gone", deadline: now})
	q.unanswered(nil, unanswered{ask: "a", deadline: now})
	if len(q.asks) != 1 || q.asks["a"] != waits {
		t.Errorf("%+v", q.asks)
	}
}

// Who asked for the end of a job is answered once.
func TestWhoCancelledAJobIsAnsweredOnce(t *testing.T) {
	reply, failed := make(chan jobAnswer, 2), errors.New("it resists")
	one := &entry{job: tools.Job{ID: "cmd-1"}, cancels: []chan<- jobAnswer{reply}}
	for range 2 {
		(&jobs{}).answer(one, failed)
	}
	if answer := <-reply; answer.job.ID != "cmd-1" || !errors.Is(answer.err, failed) || len(reply) != 0 || len(one.cancels) != 0 {
		t.Errorf("%+v, and %d more", answer, len(reply))
	}
}

// Money that comes free for a request that was given up, or that was asked already, asks nothing.
func TestMoneyThatComesFreeLateAsksNothing(t *testing.T) {
	r := turnWith(asking, Policy{})
	mine, other := &claim{}, &claim{}
	for name, test := range map[string]struct {
		held, free *claim
		queued     bool
	}{"another one's": {mine, other, true}, "given up": {nil, mine, true}, "asked already": {mine, mine, false}} {
		r.billing.claim, r.billing.queued = test.held, test.queued
		if next := r.billing.affordable(nil, affordable{claim: test.free}); next.to != (step{}).to || r.billing.queued != test.queued {
			t.Errorf("%s: %+v", name, next)
		}
	}
}

// endsSo is a model whose connection ends so.
type endsSo struct{ err error }

func (endsSo) Respond(context.Context, providers.Question, func(providers.Part)) (providers.Reply, error) {
	return providers.Reply{}, nil
}
func (c endsSo) Close() error { return c.err }

// That a connection did not close stands in the log, that one did does not.
func TestWhatDidNotCloseIsLogged(t *testing.T) {
	for name, test := range map[string]struct {
		model providers.Model
		want  string
	}{"none": {nil, ""}, "well": {endsSo{}, ""}, "not": {endsSo{errors.New("it hangs")}, `level=WARN msg="provider not closed" provider=p reason="it hangs"` + "\n"}} {
		var log bytes.Buffer
		handler := slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
			if attr.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return attr
		}})
		p := provider{config: &Config{Log: slog.New(handler)}, choice: Choice{Provider: "p"}}
		if p.closeModel(test.model); log.String() != test.want {
			t.Errorf("%s: %q", name, log.String())
		}
	}
}
