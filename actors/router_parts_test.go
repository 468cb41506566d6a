package actors

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// turnWith is a turn at a phase, after its prompt was read.
func turnWith(at phase, policy Policy) *router {
	config := &Config{Now: time.Now}
	r := newRouter(surroundings{config: config}, brief{turn: "t1", prompt: "why?", said: &strings.Builder{}, conversation: Conversation{Policy: policy, Choice: Choice{Provider: "p", Model: "m"}}})
	r.phase, r.turn = at, transcript.New(nil, "t1", messages.Message{Text: "why?"})
	return r
}

// within has work done by an actor, whose session is another one, and gives what that was told.
func within(t *testing.T, r *router, work func(actor.Context)) []any {
	t.Helper()
	system := actor.NewActorSystem()
	t.Cleanup(system.Shutdown)
	heard, done := make(chan any, 100), make(chan struct{})
	r.brief.session = system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch message := c.Message().(type) {
		case *actor.Started:
		case func(): // behind all that was said
			message()
		default:
			heard <- message
		}
	}))
	system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, begins := c.Message().(*actor.Started); begins {
			work(c)
			c.Send(r.brief.session, func() { close(done) })
		}
	}))
	receive(t, done, "the session")
	close(heard)
	var all []any
	for message := range heard {
		all = append(all, message)
	}
	return all
}

// What follows from an answer is decided by what it has, and calls that are not what the model
// wrote are answered without being run.
func TestWhatFollowsFromAnAnswer(t *testing.T) {
	calls := []messages.ToolCall{{ID: "c1", Name: "shell"}}
	for name, test := range map[string]struct {
		text    string
		reply   providers.Reply
		err     error
		round   int
		cancel  bool
		to      direction
		outcome messages.Outcome
		result  string // of the call
	}{
		"words":                  {text: "because", to: completes},
		"calls":                  {reply: providers.Reply{Calls: calls}, to: runs},
		"words and calls":        {text: "let me look", reply: providers.Reply{Calls: calls}, to: runs},
		"calls that are cut":     {reply: providers.Reply{Calls: calls, Finish: providers.Length}, to: asks, result: cutCalls},
		"calls with a hole":      {reply: providers.Reply{Calls: calls, Torn: true}, to: asks, result: tornCalls},
		"calls beyond the last":  {reply: providers.Reply{Calls: calls}, round: 3, to: asks, result: "Error: not executed: the 2 rounds"},
		"nothing":                {to: ends, outcome: messages.Incomplete},
		"words that are cut":     {text: "beca", reply: providers.Reply{Finish: providers.Length}, to: ends, outcome: messages.Incomplete},
		"words that are held":    {text: "beca", reply: providers.Reply{Finish: providers.Filtered}, to: ends, outcome: messages.Incomplete},
		"calls after a cancel":   {reply: providers.Reply{Calls: calls}, cancel: true, to: ends, outcome: messages.Cancelled},
		"failure after a cancel": {err: providers.ErrCut, cancel: true, to: ends, outcome: messages.Cancelled},
	} {
		r := turnWith(asking, Policy{Limits: Limits{Rounds: 2}})
		r.number, r.cancel = test.round, test.cancel
		r.speech.spoken.WriteString(test.text)
		next := r.exchange.digest(nil, answered{reply: test.reply, err: test.err})
		if next.to != test.to || next.outcome != test.outcome || next.to == ends && next.problem == "" && !test.cancel {
			t.Errorf("%s: %d, %q %q", name, next.to, next.outcome, next.problem)
		}
		if next.to == runs && (next.said.Text != test.text || len(next.calls) != 1) {
			t.Errorf("%s: %+v", name, next)
		}
		said := r.turn.New()
		last := said[len(said)-1]
		if next.to == completes && (last.Role != messages.Assistant || last.Text != test.text) {
			t.Errorf("%s: %+v", name, last)
		}
		if test.result != "" && (last.Result.Call != "c1" || !strings.HasPrefix(last.Result.Text, test.result)) {
			t.Errorf("%s: %+v", name, last.Result)
		}
		if test.result == "" && next.to != completes && len(said) != 1 {
			t.Errorf("%s: said %+v", name, said)
		}
	}
}

// A model that goes on calling tools has no more than one chance to answer, and one that writes
// calls as text has one to make them.
func TestASecondChanceIsTheLast(t *testing.T) {
	late := answered{reply: providers.Reply{Calls: []messages.ToolCall{{ID: "c1", Name: "shell"}}}}
	r := turnWith(asking, Policy{Limits: Limits{Rounds: 1}})
	r.number = 2
	first, second := r.exchange.digest(nil, late), r.exchange.digest(nil, late)
	if first.to != asks || second.to != ends || second.outcome != messages.Incomplete {
		t.Errorf("late calls: %+v, %+v", first, second)
	}
	r = turnWith(asking, Policy{})
	r.offered = []providers.ToolSpec{{Name: "shell"}}
	text := `<tool_call>{"name": "shell", "arguments": {"command": "ls"}}</tool_call>`
	r.speech.spoken.WriteString(text)
	first, second = r.exchange.digest(nil, answered{}), r.exchange.digest(nil, answered{})
	if first.to != asks || second.to != ends || !strings.Contains(second.problem, "m writes tool calls as text") {
		t.Errorf("calls as text: %+v, %+v", first, second)
	}
}

// What one request says is the end of all that was said: it begins a line of its own, unless it
// is the rest of an answer that broke off.
func TestWhatARequestSaysIsTheEndOfAllThatWasSaid(t *testing.T) {
	r := turnWith(asking, Policy{})
	text := func(chunk string) part { return part{Part: providers.Part{Kind: providers.TextPart, Text: chunk}} }
	told := within(t, r, func(c actor.Context) {
		r.speech.begin()
		r.speech.part(c, text("one "))
		r.speech.part(c, text("answer"))
		if r.speech.current() != "one answer" {
			t.Errorf("first: %q", r.speech.current())
		}
		r.speech.begin()
		if r.speech.current() != "" {
			t.Errorf("before it says anything: %q", r.speech.current())
		}
		r.speech.part(c, text("anoth"))
		if r.speech.current() != "anoth" || r.speech.whole() != "one answer\nanoth" {
			t.Errorf("second: %q of %q", r.speech.current(), r.speech.whole())
		}
		r.speech.handOver("anoth")
		r.speech.begin()
		r.speech.part(c, text("er one"))
		r.speech.flush(c)
		if r.speech.current() != "er one" || r.speech.whole() != "one answer\nanother one" {
			t.Errorf("the rest: %q of %q", r.speech.current(), r.speech.whole())
		}
		r.phase = running
		r.speech.part(c, text("too late"))
	})
	var chunks []string
	for _, message := range told {
		chunks = append(chunks, message.(messages.Text).Chunk)
	}
	if !slices.Equal(chunks, []string{"one ", "answer", "anoth", "er one"}) {
		t.Errorf("told %q", chunks)
	}
}

// What comes of an error that nothing mends depends on what was said before it.
func TestATurnThatIsGivenUpSaysWhy(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		err     error
		person  bool
		outcome messages.Outcome
		told    string
	}{
		"refused":         {err: errors.New("no such model"), outcome: messages.Failed},
		"too much":        {err: providers.ErrTooMuch, outcome: messages.Incomplete},
		"cut before":      {err: providers.ErrCut, outcome: messages.Failed},
		"cut behind":      {text: "beca", err: providers.ErrCut, outcome: messages.Incomplete},
		"silent":          {text: "beca", err: providers.ErrSilent, outcome: messages.Failed, told: "⚠️ Response timed out after 180s."},
		"silent, watched": {err: providers.ErrSilent, person: true, outcome: messages.Failed, told: "⚠️ Response timed out after 180s. Rebuilding session."},
	} {
		r := turnWith(asking, Policy{Person: test.person})
		r.config.Tuning = Tuning{Silence: 180 * time.Second}
		told := within(t, r, func(c actor.Context) {
			next := r.recovery.giveUp(c, test.text, test.err)
			if next.to != ends || next.outcome != test.outcome || next.problem != advised(test.err) {
				t.Errorf("%s: %+v", name, next)
			}
		})
		if (test.told == "") != (len(told) == 0) || len(told) > 0 && told[0].(messages.Notice).Text != test.told {
			t.Errorf("%s: told %+v", name, told)
		}
	}
}

// A round is over with its last result, in the order of its calls, whichever came first.
func TestARoundIsOverWithItsLastResult(t *testing.T) {
	r := turnWith(running, Policy{})
	r.tools = &tools.Registry{}
	r.round.calls = []messages.ToolCall{{ID: "c1", Name: "one"}, {ID: "c2", Name: "two"}}
	r.round.results, r.round.origins = make([]messages.ToolResult, 2), make([]messages.Origin, 2)
	r.round.answer = messages.Message{Text: "let me look"}
	result := func(id, text string) messages.ToolResult {
		return messages.ToolResult{Call: id, Text: text, Status: messages.OK}
	}
	told := within(t, r, func(c actor.Context) {
		first := r.round.callEnded(c, callEnded{position: 1, result: result("c2", "second"), effect: effect{dir: "/work"}})
		again := r.round.callEnded(c, callEnded{position: 1, result: result("c2", "twice")})
		if first.to != waits || again.to != waits || len(r.turn.New()) != 1 {
			t.Errorf("it is over with one of two: %+v, %+v", first, again)
		}
		if next := r.round.callEnded(c, callEnded{position: 0, result: result("c1", "first")}); next.to != continues {
			t.Errorf("%+v", next)
		}
	})
	said := r.turn.New()
	if len(said) != 4 || said[1].Text != "let me look" || len(said[1].Calls) != 2 || said[2].Result.Text != "first" || said[3].Result.Text != "second" {
		t.Errorf("said %+v", said)
	}
	if len(told) != 3 || told[1] != (dirChanged{path: "/work"}) || r.conversation.Dir != "/work" {
		t.Errorf("told %+v", told)
	}
	if found, moved := r.round.changes(); found != nil || !moved {
		t.Errorf("found %v, moved %v", found, moved)
	}
	if _, moved := r.round.changes(); moved {
		t.Error("it is read anew twice")
	}
}
