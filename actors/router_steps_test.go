package actors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// noticed are the words of notices among what a session was told, and the kinds of all else.
func noticed(told []any) (said []string) {
	for _, message := range told {
		if notice, is := message.(messages.Notice); is {
			said = append(said, string(notice.Level)+": "+notice.Text)
			continue
		}
		said = append(said, strings.TrimPrefix(fmt.Sprintf("%T", message), "messages."))
	}
	return said
}

// What follows when results left the view, or none could, depends on what that was for.
func TestWhatFollowsWhenResultsLeft(t *testing.T) {
	others := []messages.Message{{Role: messages.User, Text: "shorter"}}
	for name, test := range map[string]struct {
		came   pruned
		at     phase
		cancel bool
		to     direction
		said   []string
		text   string // that the conversation begins with
	}{
		"too late":                   {came: pruned{messages: others, left: 1}, at: asking, to: waits, text: "why?"},
		"after a cancel":             {came: pruned{messages: others, left: 1}, at: compacting, cancel: true, to: ends, text: "why?"},
		"none, before there is need": {came: pruned{early: true}, at: compacting, to: poses, text: "why?"},
		"none, for room":             {at: compacting, to: compacts, text: "why?"},
		"before there is need": {
			came: pruned{messages: others, early: true, left: 3, old: 2, saved: 5 << 10}, at: compacting, to: poses, text: "shorter",
			said: []string{"info: The provider has to read the whole conversation anew, so 2 old results (5 KB) left the model's view first; they are kept, and it knows where"},
		},
		"only what is there anew": {came: pruned{messages: others, early: true, left: 3}, at: compacting, to: poses, text: "shorter"},
		"for room": {
			came: pruned{messages: others, left: 3, old: 2}, at: compacting, to: asks, text: "shorter",
			said: []string{"info: To make room, 3 old results left the model's view; they are kept, and it knows where"},
		},
		"for room, and empty": {came: pruned{messages: others, old: 2}, at: compacting, to: asks, text: "shorter"},
	} {
		r := turnWith(test.at, Policy{})
		r.cancel = test.cancel
		told := within(t, r, func(c actor.Context) {
			if next := r.compaction.pruned(c, test.came); next.to != test.to || next.to == ends && next.outcome != messages.Cancelled {
				t.Errorf("%s: %+v", name, next)
			}
		})
		if said := noticed(told); !slices.Equal(said, test.said) {
			t.Errorf("%s: said %q", name, said)
		}
		if text := r.turn.Messages()[0].Text; text != test.text {
			t.Errorf("%s: it begins with %q", name, text)
		}
	}
}

// A summary that could not be made leaves everything as it was, and is not tried again at the
// same size.
func TestWhatFollowsFromASummary(t *testing.T) {
	short := budget.Result{Messages: []messages.Message{{Role: messages.User, Text: "in short"}}, Before: 900, After: 90}
	for name, test := range map[string]struct {
		came    compacted
		at      phase
		tokens  int
		compact bool
		to      direction
		tried   int
		said    []string
	}{
		"too late":                  {came: compacted{err: errors.New("no")}, at: asking, to: waits},
		"it brings nothing":         {came: compacted{err: budget.ErrNoGain}, at: compacting, tokens: 50, to: asks, tried: 50, said: []string{"info: " + budget.NoticeFailed(budget.ErrNoGain)}},
		"it failed":                 {came: compacted{err: errors.New("no")}, at: compacting, to: asks, tried: 1, said: []string{"warning: " + budget.NoticeFailed(errors.New("no"))}},
		"it failed, for a person":   {came: compacted{err: errors.New("no")}, at: compacting, compact: true, to: ends, tried: 1, said: []string{"warning: " + budget.NoticeFailed(errors.New("no"))}},
		"it is there":               {came: compacted{result: short}, at: compacting, tokens: 50, to: asks, tried: 90, said: []string{"Compacted", "info: " + budget.NoticeEnd}},
		"it is there, for a person": {came: compacted{result: short}, at: compacting, compact: true, to: ends, tried: 90, said: []string{"Compacted", "info: " + budget.NoticeEnd}},
	} {
		r := turnWith(test.at, Policy{})
		r.weight.tokens, r.brief.compact = test.tokens, test.compact
		told := within(t, r, func(c actor.Context) {
			if next := r.compaction.compacted(c, test.came); next.to != test.to || next.to == ends && next.outcome != messages.Completed {
				t.Errorf("%s: %+v", name, next)
			}
		})
		if said := noticed(told); !slices.Equal(said, test.said) || r.weight.tried != test.tried {
			t.Errorf("%s: tried at %d, said %q", name, r.weight.tried, said)
		}
		if whole := r.turn.Messages()[0].Text == "why?"; whole == (test.came.err == nil && test.at == compacting) {
			t.Errorf("%s: what was said is whole: %v", name, whole)
		}
	}
}

// The model hears in the middle of a turn what came, unless the turn is dropped with all that it
// hears.
func TestWhatComesInTheMiddleOfATurn(t *testing.T) {
	for name, test := range map[string]struct {
		compact, aside bool
		waiting, due   bool
		tells          []bool
	}{
		"nothing came": {},
		"it may wait":  {tells: []bool{false}, waiting: true},
		"it may not":   {tells: []bool{true}, waiting: true, due: true},
		"one may not":  {tells: []bool{true, false}, waiting: true, due: true},
		"a summary":    {tells: []bool{true}, compact: true},
		"beside":       {tells: []bool{true}, aside: true},
	} {
		r := turnWith(asking, Policy{})
		r.brief.compact, r.brief.aside = test.compact, test.aside
		for _, due := range test.tells {
			r.interjected.wait(wordsWait{due: due})
		}
		if r.interjected.waiting != test.waiting || r.interjected.due != test.due {
			t.Errorf("%s: waiting %v, due %v", name, r.interjected.waiting, r.interjected.due)
		}
	}
	r := turnWith(hearing, Policy{})
	if said := r.interjected.take(words{}); said != "" || len(r.turn.New()) != 1 || r.tainted != "" {
		t.Errorf("of nothing comes %q", said)
	}
	if said := r.interjected.take(words{said: []string{"stop", "go on"}}); said != "stop\n\ngo on" || r.tainted != "" || r.interjected.answeredLast() {
		t.Errorf("what was said is %q, tainted by %q", said, r.tainted)
	}
	r.turn.AddAnswer(messages.Message{Text: "done"})
	if !r.interjected.answeredLast() {
		t.Error("it did not answer")
	}
	r.interjected.take(words{news: []string{"a job ended"}})
	if said := r.turn.New(); r.tainted != newsCame || r.interjected.answeredLast() || !strings.Contains(said[len(said)-1].Text, "a job ended") {
		t.Errorf("news: %q, %+v", r.tainted, said)
	}
	r.tainted = "read_web"
	if r.interjected.take(words{news: []string{"another"}}); r.tainted != "read_web" {
		t.Errorf("what came first is forgotten for %q", r.tainted)
	}
}

// An answer that broke off can be gone on with where something came between, and not where it
// was refused.
func TestWhatCameBetweenAServerAndItsAnswer(t *testing.T) {
	for _, test := range []struct {
		err   error
		broke bool
	}{
		{&providers.StatusError{Status: 500}, true},
		{&providers.StatusError{Status: 503}, true},
		{&providers.StatusError{Status: 429}, true},
		{&providers.StatusError{Status: 499}, false},
		{&providers.StatusError{Status: 400}, false},
		{&providers.StatusError{Status: 428}, false},
		{fmt.Errorf("ask: %w", providers.ErrCut), true},
		{fmt.Errorf("ask: %w", providers.ErrUnreachable), true},
		{providers.ErrSilent, false},
		{providers.ErrTooLong, false},
		{errors.New("no"), false},
		{nil, false},
	} {
		if got := broke(test.err); got != test.broke {
			t.Errorf("%v (%+v): %v", test.err, test.err, got)
		}
	}
}

// Files that calls were about are looked at once, in coding mode, and the directory itself never.
func TestWhatCallsTouchIsLookedAtOnce(t *testing.T) {
	r := turnWith(running, Policy{})
	r.conversation.Dir = "/work"
	if r.round.touch([]string{"/work/a"}); r.round.touched != nil || r.round.moved {
		t.Error("without coding mode files are looked at")
	}
	r.mode.Coding = true
	if r.round.touch([]string{"/work"}); r.round.moved {
		t.Error("the directory is looked at again")
	}
	if r.round.touch([]string{"/work/a", "/work/b", "/work/a"}); !r.round.moved || !slices.Equal(r.round.touched, []string{"/work/a", "/work/b"}) {
		t.Errorf("touched %q", r.round.touched)
	}
	r.round.moved = false
	if r.round.touch([]string{"/work/b"}); r.round.moved {
		t.Error("what was touched is looked at again")
	}
}

// Calls of the prompt are about files that a person named: they need no mode, and no directory
// that was chosen.
func TestWhereTheCallsOfAPromptWork(t *testing.T) {
	for name, test := range map[string]struct {
		before    bool
		dir, root string
		want      string
	}{
		"of the model":            {want: "false  "},
		"of the model, somewhere": {dir: "/work/a", root: "/work", want: "false /work/a /work"},
		"of the prompt":           {before: true, want: "true /here /here"},
		"of the prompt, below":    {before: true, dir: "/work/a", root: "/work", want: "true /work/a /work"},
		"of the prompt, no root":  {before: true, dir: "/work/a", want: "true /work/a /work/a"},
	} {
		r := turnWith(running, Policy{})
		r.config.Dir, r.round.before, r.conversation.Dir, r.conversation.Root = "/here", test.before, test.dir, test.root
		mode, conversation := r.round.placed()
		if got := fmt.Sprint(mode.Coding, " ", conversation.Dir, " ", conversation.Root); got != test.want || r.mode.Coding {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := turnWith(running, Policy{})
	for name, test := range map[string]struct {
		parts *messages.PromptParts
		done  bool
		opens bool
	}{
		"no parts":   {},
		"no calls":   {parts: &messages.PromptParts{}},
		"calls":      {parts: &messages.PromptParts{Calls: []messages.ToolCall{{}}}, opens: true},
		"calls made": {parts: &messages.PromptParts{Calls: []messages.ToolCall{{}}}, done: true},
	} {
		if r.brief.parts, r.round.opened = test.parts, test.done; r.round.opens() != test.opens {
			t.Errorf("%s: it opens: %v", name, !test.opens)
		}
	}
}

// A worker that ended without a report has a result all the same, once.
func TestAWorkerThatEndedWithoutAReport(t *testing.T) {
	const crashed, stopped = "Error: the tool crashed inside Marvin; its effect is unknown. Try another way.", "Error: interrupted by the user; it did not stop in time and its effect is unknown."
	for name, test := range map[string]struct {
		who      string
		at       phase
		reported bool
		cancel   bool
		to       direction
		text     string
	}{
		"a bug":              {who: "w", at: running, to: continues, text: crashed},
		"stopped":            {who: "w", at: running, cancel: true, to: ends, text: stopped},
		"it reported":        {who: "w", at: running, reported: true, text: "fine"},
		"another round":      {who: "v", at: running},
		"the turn is beyond": {who: "w", at: asking},
	} {
		r := turnWith(test.at, Policy{})
		r.tools, r.cancel = &tools.Registry{}, test.cancel
		r.round.calls, r.round.workers = []messages.ToolCall{{ID: "c1", Name: "one"}}, map[string]int{"w": 0}
		r.round.results, r.round.origins, r.round.begun = make([]messages.ToolResult, 1), make([]messages.Origin, 1), time.Now()
		if test.reported {
			r.round.results[0] = messages.ToolResult{Call: "c1", Text: "fine"}
		}
		told := within(t, r, func(c actor.Context) {
			if next := r.round.workerGone(c, task.Gone{Who: actor.NewPID("here", test.who)}); next.to != test.to {
				t.Errorf("%s: %+v", name, next)
			}
		})
		if text := r.round.results[0].Text; text != test.text || (len(told) == 1) != (test.to != waits) {
			t.Errorf("%s: %q, told %+v", name, text, told)
		}
		if _, there := r.round.workers["w"]; there != (test.who != "w") {
			t.Errorf("%s: the worker is there: %v", name, there)
		}
	}
}
