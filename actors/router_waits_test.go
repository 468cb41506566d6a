package actors

import (
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/hooks"
)

// Hooks are heard once, and those that a turn waits for; behind a cancel only what they say of
// its end counts.
func TestWhichHooksAreHeard(t *testing.T) {
	for name, test := range map[string]struct {
		number       int
		gone         bool // nobody waits
		cancel, last bool
		to           direction
		said         []string
	}{
		"those that it waits for":     {number: 3, to: asks, said: []string{"warning: slow"}},
		"earlier ones":                {number: 2},
		"twice":                       {number: 3, gone: true},
		"behind a cancel":             {number: 3, cancel: true, to: ends, said: []string{"warning: slow"}},
		"of the end, behind a cancel": {number: 3, cancel: true, last: true, to: asks, said: []string{"warning: slow"}},
		"of the end":                  {number: 3, last: true, to: asks, said: []string{"warning: slow"}},
	} {
		r := turnWith(consulting, Policy{})
		r.cancel = test.cancel
		r.hooks.consulted = consultation{number: 3, last: test.last, then: func(hooks.Outcome) step { return step{to: asks} }}
		if test.gone {
			r.hooks.consulted.then = nil
		}
		told := within(t, r, func(c actor.Context) {
			came := consultedHooks{number: test.number, outcome: hooks.Outcome{Problems: []string{"slow"}}}
			if next := r.hooks.heard(c, came); next.to != test.to {
				t.Errorf("%s: %+v", name, next)
			}
			if next := r.hooks.heard(c, came); next.to != waits {
				t.Errorf("%s: heard twice: %+v", name, next)
			}
		})
		if said := noticed(told); !slices.Equal(said, test.said) {
			t.Errorf("%s: said %q", name, said)
		}
	}
}

// A request that waits until it can be paid for goes on once, and not where all is spent.
func TestARequestThatWaitsToBePaidFor(t *testing.T) {
	for name, test := range map[string]struct {
		other, given bool
		limit, spent float64
		to           direction
		asked        bool
	}{
		"there is room":      {limit: 3, spent: 2, asked: true},
		"there is no limit":  {spent: 2, asked: true},
		"all is spent":       {limit: 2, spent: 2, to: ends},
		"more is spent":      {limit: 1, spent: 2, to: ends},
		"it is another one":  {other: true, limit: 3},
		"it was given up":    {given: true, limit: 3},
		"given up, no money": {given: true, limit: 1, spent: 2},
	} {
		w := newTeller(t)
		provider := w.hears("provider")
		r := turnWith(asking, Policy{Limits: Limits{Cost: test.limit}})
		r.conversation.Spending = &Spending{}
		r.conversation.Spending.pay(test.spent)
		r.provider = provider
		mine := &claim{}
		r.billing.claim, r.billing.queued, r.billing.pending = mine, !test.given, ask{question: providers.Question{System: "s"}}
		if test.other {
			mine = &claim{}
		}
		said := w.during(func(c actor.Context) {
			if next := r.billing.affordable(c, affordable{claim: mine}); next.to != test.to || next.to == ends && next.outcome != messages.Incomplete {
				t.Errorf("%s: %+v", name, next)
			}
		}, provider)
		if asked := slices.Equal(said, []string{"provider ask"}); asked != test.asked || !asked && said != nil {
			t.Errorf("%s: said %q", name, said)
		}
	}
}

// Tools that a conversation had and that are gone are named once, those that it was sent and
// those that it called.
func TestWhichToolsAreGone(t *testing.T) {
	called := func(name string, status messages.Status) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Name: name, Status: status}}
	}
	before := &sessionlog.Content{
		Tools: []providers.ToolSpec{{Name: "sent"}, {Name: "both"}},
		Messages: []messages.Message{
			called("both", messages.OK), called("called", messages.OK), called("failed", messages.ToolError), {Role: messages.User, Result: messages.ToolResult{Name: "none", Status: messages.OK}},
		},
	}
	if said := goneTools(&tools.Registry{}, before); !slices.Equal(said, []string{"Tools that this conversation had are gone: sent, both, called. Its model hears so if it calls one."}) {
		t.Errorf("%q", said)
	}
	if said := goneTools(&tools.Registry{}, &sessionlog.Content{Messages: before.Messages[2:]}); said != nil {
		t.Errorf("of none: %q", said)
	}
}

// A limit of two is the smaller one, and none is no limit.
func TestTheLimitsOfTwo(t *testing.T) {
	for _, test := range []struct{ a, b, want Limits }{
		{Limits{}, Limits{}, Limits{}},
		{Limits{Cost: 2, Rounds: 3, Time: time.Hour}, Limits{}, Limits{Cost: 2, Rounds: 3, Time: time.Hour}},
		{Limits{Cost: 2, Rounds: 3, Time: time.Hour}, Limits{Cost: 1, Rounds: 4, Time: time.Minute}, Limits{Cost: 1, Rounds: 3, Time: time.Minute}},
	} {
		if got, back := test.a.Within(test.b), test.b.Within(test.a); got != test.want || back != test.want {
			t.Errorf("%+v within %+v: %+v, and back %+v", test.a, test.b, got, back)
		}
	}
}
