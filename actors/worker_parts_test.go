package actors

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// How a run ended decides what the model is told: whether anything happened, and what of it is
// known.
func TestWhatAModelIsToldOfTheEndOfARun(t *testing.T) {
	view, failed := &messages.View{}, errors.New("no such file")
	for name, test := range map[string]struct {
		came   ran
		begun  bool
		status messages.Status
		text   string
	}{
		"it worked":         {ran{output: tools.Output{Text: "one\n", View: view}}, true, messages.OK, "one\n"},
		"it failed":         {ran{output: tools.Output{Text: "one\n", View: view}, err: failed}, true, messages.ToolError, "one\nError: no such file"},
		"it is forbidden":   {ran{output: tools.Output{View: view}, err: tools.ErrForbidden}, true, messages.Forbidden, "Error: " + tools.ErrForbidden.Error()},
		"it was stopped":    {ran{output: tools.Output{Text: "one", View: view}, err: context.Canceled, cause: errInterrupted}, true, messages.Interrupted, "one\nError: interrupted by the user while it ran; its effect is unknown."},
		"it never began":    {ran{err: errInterrupted, cause: errInterrupted}, false, messages.Interrupted, "Error: cancelled by the user before it started. Nothing was done."},
		"its time is up":    {ran{output: tools.Output{View: view}, err: context.DeadlineExceeded, cause: tools.ErrDeadline}, true, messages.TimedOut, "Error: timed out after 3s. Ask for less at once, or give it more time if the tool has a timeout."},
		"a time of its own": {ran{output: tools.Output{View: view}, err: tools.ErrDeadline}, true, messages.TimedOut, "Error: " + tools.ErrDeadline.Error()},
		"it crashed":        {ran{output: tools.Output{Text: "one"}, panic: &task.Panicked{Reason: "boom"}}, true, messages.Crashed, "Error: the tool crashed: boom. Its effect is unknown. Try another way."},
	} {
		end := test.came.end(test.begun, 3*time.Second)
		if end.status != test.status || end.text != test.text || end.view != test.came.output.View {
			t.Errorf("%s: %s, %q, view %v", name, end.status, end.text, end.view)
		}
	}
}

// The time in which a person is asked is not that of the call, in each run anew for the call
// itself.
func TestATimeOfAPersonIsLeftToTheRun(t *testing.T) {
	var run execution
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return begin.Add(time.Duration(seconds) * time.Second) }
	if run.end(errInterrupted); run.running() || run.took(at(5)) != 0 {
		t.Error("what does not run ran")
	}
	ctx := run.begin()
	run.begun = begin
	run.allowed.count(true, func() time.Time { return at(2) })
	run.allowed.count(false, func() time.Time { return at(9) })
	if left := run.left(10*time.Second, at(12)); left != 5*time.Second {
		t.Errorf("%s are left of 10, of which 5 were its own", left)
	}
	if !run.isIn(1) || run.isIn(2) || run.took(at(12)) != 12*time.Second {
		t.Error("it is in another run")
	}
	away := run.mayLeave()
	run.leave()
	run.leave() // a second wish is none
	select {
	case <-away:
	default:
		t.Error("it does not hear that it is wanted in the background")
	}
	run.again()
	if !errors.Is(context.Cause(ctx), errInterrupted) || run.running() || run.isIn(1) || !run.begun.IsZero() {
		t.Error("the first run did not end")
	}
	if run.begin(); !run.isIn(2) || run.isIn(1) {
		t.Error("the second run is no other one")
	}
}

// A reply goes to the question that it is of, and what nobody waits for any more is named once.
func TestRepliesGoToTheirQuestions(t *testing.T) {
	var asked inquiries
	first, second := make(chan tools.Reply, 1), make(chan tools.Reply, 1)
	one, two := asked.add("call-1", first), asked.add("call-1", second)
	if one == two || !asked.waiting() {
		t.Fatalf("%s and %s", one, two)
	}
	if asked.replied(granted{ask: "call-1"}) {
		t.Error("consent is taken for a reply")
	}
	if !asked.replied(granted{ask: two, reply: tools.Reply{Answer: messages.Answer{Ask: two}}}) || asked.replied(granted{ask: two}) {
		t.Error("a reply is taken once")
	}
	if reply := <-second; reply.Ask != two || len(first) > 0 {
		t.Error("another question has the reply")
	}
	if names := asked.forget(second); names != nil {
		t.Errorf("%v were given up already", names)
	}
	if names := asked.forget(nil); !slices.Equal(names, []string{one}) || asked.waiting() {
		t.Errorf("%v", names)
	}
}

// Whose words a result is goes by the tool and by what the run says, and a call that did not
// run has only Marvin's.
func TestWhoseWordsAResultIs(t *testing.T) {
	tool := &tools.Tool{}
	places := []tools.Place{{Path: "/work/a"}, {All: true}}
	var own intake
	own.note(tools.Output{Text: "x", Empty: true})
	if !own.empty {
		t.Error("it brought something")
	}
	if origin := own.origin(tool, messages.OK, places); origin.From != messages.FromTool || !slices.Equal(origin.Places, []string{"/work/a"}) {
		t.Errorf("%+v", origin)
	}
	if origin := own.origin(tool, messages.Denied, places); origin.From != messages.FromMarvin || origin.Places != nil {
		t.Errorf("a call that was refused: %+v", origin)
	}
	if own.framed(tool, messages.OK, "x", nil) != "x" {
		t.Error("its own words are framed")
	}
	strange := intake{overheard: []string{"/private"}}
	strange.note(tools.Output{Text: "x", Strangers: true, Pictures: []messages.Picture{{}}, Empty: true})
	if strange.empty {
		t.Error("a picture is nothing")
	}
	if origin := strange.origin(tool, messages.OK, places); origin.From != messages.FromStranger || !slices.Equal(origin.Places, []string{"/work/a", "/private"}) {
		t.Errorf("%+v", origin)
	}
	to := []tools.Destination{{Address: "https://example.com/a"}}
	if framed := strange.framed(tool, messages.OK, "x", to); framed != messages.Frame("https://example.com/a", "x") {
		t.Errorf("%q", framed)
	}
	if strange.framed(tool, messages.ToolError, "x", to) != "x" {
		t.Error("an error is framed")
	}
}
