package actors_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestCancelKeepsTheAnswerSoFar(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("The first half").Append(modeltest.Hang()), modeltest.Text("of course"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	tree.Client.Send(messages.Say("tell me"))
	actorstest.ReadUntil[messages.Text](tree)
	tree.Client.Send(messages.Cancel{})
	turn := tree.Finish()
	if turn.Ended.Outcome != messages.Cancelled || turn.Ended.Text != "The first half" {
		t.Errorf("ended %+v", turn.Ended)
	}
	tree.Prompt("go on")
	history := server.Requests()[1].Messages
	if got := history[len(history)-2].Text; got != "The first half\n[Cancelled]" {
		t.Errorf("the model remembers %q", got)
	}
}

func TestCancelWhileIdleDoesNothing(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("yes"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	tree.Client.Send(messages.Cancel{})
	if turn := tree.Prompt("are you there"); turn.Ended.Outcome != messages.Completed {
		t.Errorf("ended %+v", turn.Ended)
	}
}

// Every call gets a result, whatever happens to it, and the next request is accepted. Otherwise the
// strict server fails the test.
func TestEveryCallHasAResultAfterCancel(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "waits"}, modeltest.Call{Name: "say", Args: map[string]string{"text": "hi"}}, modeltest.Call{Name: "waits"}),
		modeltest.Text("as you wish"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{untilDone("waits"), say()}})
	tree.Client.Send(messages.Say("go"))
	for range 3 { // the two that wait, and the one that ends by itself
		actorstest.ReadUntil[messages.ToolStarted](tree)
	}
	tree.Client.Send(messages.Cancel{})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("ended %+v", turn.Ended)
	}
	if turn := tree.Prompt("and now?"); turn.Ended.Outcome != messages.Completed {
		t.Errorf("the next turn ended %+v", turn.Ended)
	}
	var results []string
	for _, message := range server.Requests()[1].Messages {
		if message.Role == messages.Tool {
			results = append(results, message.Result.Text)
		}
	}
	interrupted := "half done\nError: interrupted by the user while it ran; its effect is unknown."
	if len(results) != 3 || results[0] != interrupted || results[2] != interrupted {
		t.Errorf("results %q", results)
	}
}

// The model gets four different texts for a call that the user denied, that a policy denied, that
// was interrupted, and that timed out.
func TestCancelTexts(t *testing.T) {
	asks := tools.New(tools.Def[noArgs]{
		Name: "asks", Doc: "asks",
		Confirm: func(tools.Env, noArgs) (string, string) { return "Run?", "rm -rf /" },
		Run:     func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "ran"}, nil },
	})
	writes := tools.New(tools.Def[noArgs]{
		Name: "writes", Doc: "writes", Effect: tools.Writes,
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "ran"}, nil },
	})
	slow := tools.New(tools.Def[noArgs]{
		Name: "slow", Doc: "slow", Timeout: time.Millisecond,
		Run: func(ctx context.Context, _ tools.Env, _ noArgs) (tools.Output, error) {
			<-ctx.Done()
			return tools.Output{}, ctx.Err()
		},
	})
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "asks"}, modeltest.Call{Name: "writes"}, modeltest.Call{Name: "slow"}, modeltest.Call{Name: "waits"}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{asks, writes, slow, untilDone("waits")},
		Policy: &actors.Policy{Coding: true, Person: true, ReadOnly: true},
	})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	for len(actorstest.Pick[messages.ToolEnded](tree.Seen)) < 3 || len(actorstest.Pick[messages.ToolStarted](tree.Seen)) < 2 {
		actorstest.ReadUntil[messages.Event](tree)
	}
	tree.Client.Send(messages.Cancel{})
	tree.Finish()
	texts := map[messages.Status]string{}
	for _, ended := range actorstest.Pick[messages.ToolEnded](tree.Seen) {
		texts[ended.Status] = ended.Text
	}
	for status, part := range map[messages.Status]string{
		messages.Denied: "the user said no", messages.Forbidden: "MARVIN_READONLY=1",
		messages.TimedOut: "timed out after 1ms", messages.Interrupted: "interrupted by the user",
	} {
		if !strings.Contains(texts[status], part) {
			t.Errorf("%s: %q lacks %q", status, texts[status], part)
		}
	}
}

// A side question and a sub-agent explain why they change nothing.
func TestASideQuestionSaysWhyItChangesNothing(t *testing.T) {
	writes := tools.New(tools.Def[noArgs]{
		Name: "writes", Doc: "writes", Effect: tools.Writes,
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "ran"}, nil },
	})
	server := modeltest.Start(t, modeltest.Text("hello"), modeltest.Calls(modeltest.Call{Name: "writes"}), modeltest.Text("no"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{writes}, Policy: &actors.Policy{Person: true}})
	tree.Prompt("hi")
	tree.Client.Send(messages.SideQuestion{Text: "write it"})
	ended := actorstest.ReadUntil[messages.ToolEnded](tree)
	actorstest.ReadUntil[messages.TurnEnded](tree)
	if ended.Status != messages.Forbidden || strings.Contains(ended.Text, "MARVIN_READONLY") || !strings.Contains(ended.Text, "a side question must not change anything") {
		t.Errorf("%s: %s", ended.Status, ended.Text)
	}
}

func TestConsentIsAskedOnceIfTheUserSaysAlways(t *testing.T) {
	asks := tools.New(tools.Def[sayArgs]{
		Name: "asks", Doc: "asks",
		Confirm: func(_ tools.Env, in sayArgs) (string, string) { return "Say it?", in.Text },
		Run: func(_ context.Context, _ tools.Env, in sayArgs) (tools.Output, error) {
			return tools.Output{Text: in.Text}, nil
		},
	})
	call := func(text string) modeltest.Step {
		return modeltest.Calls(modeltest.Call{Name: "asks", Args: map[string]string{"text": text}})
	}
	server := modeltest.Start(t, call("one"), call("two"), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asks}, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	if asked.Detail != "one" {
		t.Errorf("asked about %q", asked.Detail)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Always})
	turn := tree.Finish()
	if n := len(actorstest.TurnEvents[messages.Asked](turn)); n != 0 || turn.Ended.Outcome != messages.Completed {
		t.Errorf("asked %d times more, ended %+v", n, turn.Ended)
	}
}

func TestCancelSettlesOpenQuestions(t *testing.T) {
	asks := tools.New(tools.Def[noArgs]{
		Name: "asks", Doc: "asks",
		Confirm: func(tools.Env, noArgs) (string, string) { return "Sure?", "it" },
		Run:     func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{}, nil },
	})
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "asks"}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{asks}, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.Say("go"))
	actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Cancel{})
	turn := tree.Finish()
	if answered := actorstest.TurnEvents[messages.Answered](turn); len(answered) != 1 || answered[0].Choice != messages.No {
		t.Errorf("%s", actorstest.Lines(turn.Events))
	}
}

func TestNoWaiterLeftByADeafTool(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	deaf := tools.New(tools.Def[noArgs]{
		Name: "deaf", Doc: "deaf", Timeout: 10 * time.Millisecond,
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) { <-release; return tools.Output{}, nil },
	})
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "deaf"}), modeltest.Calls(modeltest.Call{Name: "deaf"}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{deaf}, Tuning: actors.Tuning{CancelGrace: 20 * time.Millisecond}})
	tree.Client.Send(messages.Say("go"))
	if ended := actorstest.ReadUntil[messages.ToolEnded](tree); ended.Status != messages.TimedOut || !strings.Contains(ended.Text, "did not stop") {
		actorstest.ReadUntil[messages.TurnEnded](tree)
		t.Errorf("past its deadline: %+v", ended)
	}
	actorstest.ReadUntil[messages.ToolStarted](tree)
	tree.Client.Send(messages.Cancel{})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("ended %+v", turn.Ended)
	}
}

// A model that goes silent at any point ends the turn with a reason after its time limit, and the
// next prompt works. The test uses virtual time.
func TestStalls(t *testing.T) {
	cases := map[string]modeltest.Step{
		"before the headers":    modeltest.Text("x"),
		"after the headers":     modeltest.Hang(),
		"in the middle":         modeltest.Text("half").Append(modeltest.Hang()),
		"with keep-alives only": modeltest.Hang().WithFaults(modeltest.Pings()),
	}
	for name, stall := range cases {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				person := name != "in the middle"
				if name == "before the headers" { // the gate must be made inside the bubble
					stall = stall.WithFaults(modeltest.SlowHeaders(make(chan struct{})))
				}
				first := true
				server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
					if first {
						first = false
						return stall
					}
					return modeltest.Text("back again")
				})
				tree := actorstest.Start(t, actorstest.Setup{Server: server, HTTP: client, Policy: &actors.Policy{Person: person}, Wait: time.Hour})
				begun := time.Now()
				turn := tree.Prompt("hello?")
				if took := time.Since(begun); took < 180*time.Second || took > 190*time.Second {
					t.Errorf("ended after %s", took)
				}
				if turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "silent for 3m0s") {
					t.Errorf("ended %+v", turn.Ended)
				}
				notices := actorstest.TurnEvents[messages.Notice](turn)
				want := "⚠️ Response timed out after 180s. Rebuilding session."
				if !person { // without a user, the model is not asked again
					want = "⚠️ Response timed out after 180s."
				}
				if len(notices) != 1 || notices[0].Text != want {
					t.Errorf("notices %+v", notices)
				}
				if turn := tree.Prompt("hello?"); turn.Ended.Text != "back again" {
					t.Errorf("the next turn ended %+v", turn.Ended)
				}
			})
		})
	}
}

// The terminal event ends the answer even if the socket stays open, and an error event ends it at
// once.
func TestATerminalEventIsTheEnd(t *testing.T) {
	cases := map[string]struct {
		step    modeltest.Step
		outcome messages.Outcome
	}{
		"done, then an open socket":  {modeltest.Text("whole").WithFaults(modeltest.KeepOpen(), modeltest.Pings()), messages.Completed},
		"error, then an open socket": {modeltest.ErrorEvent("overloaded").Append(modeltest.Hang()), messages.Failed},
		"pings between the words":    {modeltest.Text("wh", "o", "le").WithFaults(modeltest.Pings()), messages.Completed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := modeltest.Start(t, c.step)
			tree := actorstest.Start(t, actorstest.Setup{Server: server})
			turn := tree.Prompt("go")
			if turn.Ended.Outcome != c.outcome {
				t.Errorf("ended %+v", turn.Ended)
			}
			if c.outcome == messages.Completed && turn.Ended.Text != "whole" {
				t.Errorf("the answer is %q", turn.Ended.Text)
			}
		})
	}
}

// A stream that ends without a terminal event is not an answer.
func TestEOFBeforeTheEnd(t *testing.T) {
	cases := map[string]struct {
		step    modeltest.Step
		outcome messages.Outcome
		text    string
	}{
		"before a word":    {modeltest.End(), messages.Failed, ""},
		"after a word":     {modeltest.Text("half").Append(modeltest.End()), messages.Incomplete, "half"},
		"reset":            {modeltest.Text("half").Append(modeltest.Reset()), messages.Incomplete, "half"},
		"no finish reason": {modeltest.Text("half").WithFaults(modeltest.NoFinish(), modeltest.NoDone()), messages.Incomplete, "half"},
		"only no [DONE]":   {modeltest.Text("whole").WithFaults(modeltest.NoDone()), messages.Completed, "whole"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				if request.Last().Text == "again" {
					return modeltest.Text("fine")
				}
				return c.step
			})
			tree := actorstest.Start(t, actorstest.Setup{Server: server})
			turn := tree.Prompt("go")
			if turn.Ended.Outcome != c.outcome || turn.Ended.Text != c.text {
				t.Errorf("ended %+v", turn.Ended)
			}
			if c.outcome != messages.Completed && turn.Ended.Err == "" {
				t.Error("no reason is given")
			}
			if turn := tree.Prompt("again"); turn.Ended.Text != "fine" {
				t.Errorf("the next turn ended %+v", turn.Ended)
			}
		})
	}
}

// A conversation that no longer fits reports that, and stays usable.
func TestTooLongForTheWindow(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text("fine")
	})
	server.Window(20_000)
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt(strings.Repeat("long ", 10_000))
	if turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "start a new one, or send less at a time") {
		t.Errorf("ended %+v", turn.Ended)
	}
	if turn := tree.Prompt("short"); turn.Ended.Text != "fine" {
		t.Errorf("the next turn ended %+v", turn.Ended)
	}
}

func TestCallsWrittenAsText(t *testing.T) {
	broken := `<tool_call>{"name": "say", "arguments": {"text": </tool_call>`
	server := modeltest.Start(t, modeltest.Text(broken), modeltest.Text(broken))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "writes tool calls as text") {
		t.Errorf("ended %+v", turn.Ended)
	}
	if last := server.Requests()[1].Last(); last.Role != messages.User || !strings.Contains(last.Text, "nothing was executed") {
		t.Errorf("the model was told %+v", last)
	}
}

func TestEmptyAnswersAreNotSuccess(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text(), modeltest.Text())
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Incomplete || turn.Ended.Err == "" {
		t.Errorf("ended %+v", turn.Ended)
	}
}

func TestQuitEndsARunningTurnAndCloses(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("never ends").Append(modeltest.Hang()))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	tree.Client.Send(messages.Say("go"))
	actorstest.ReadUntil[messages.Text](tree)
	tree.Client.Send(messages.Quit{})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("ended %+v", turn.Ended)
	}
	actorstest.ReadUntil[messages.Closed](tree)
}
