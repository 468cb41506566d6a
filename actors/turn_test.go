package actors_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/language/languagetest"
	"marvin/tools/mcp/mcptest"
	"marvin/tools/toolbox"
)

func TestMain(m *testing.M) {
	disktest.Main()
	debug.SetGCPercent(400) // more memory for less time: all tests take 38 s of CPU, not 46
	mcptest.Main()
	languagetest.Main()
	// A call that ends after its turn leaves a dead letter, for which the library keeps a goroutine
	// for a second.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"))
}

type noArgs struct{}

type sayArgs struct {
	Text string `json:"text" doc:"What to say"`
}

// tool makes a tool for a test from its work.
func tool(name string, run func(context.Context, tools.Env) (tools.Output, error)) tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: name, Doc: name, Timeout: actorstest.Patience,
		Run: func(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) { return run(ctx, env) },
	})
}

// sayFunc makes a tool's Run from a function that returns text.
func sayFunc(say func(sayArgs) string) func(context.Context, tools.Env, sayArgs) (tools.Output, error) {
	return func(_ context.Context, _ tools.Env, in sayArgs) (tools.Output, error) {
		return tools.Output{Text: say(in)}, nil
	}
}

func say() tools.Tool {
	return tools.New(tools.Def[sayArgs]{
		Name: "say", Doc: "Says it back.",
		Run: func(_ context.Context, _ tools.Env, in sayArgs) (tools.Output, error) {
			return tools.Output{Text: in.Text}, nil
		},
	})
}

// untilDone is a tool that runs until it is stopped.
func untilDone(name string) tools.Tool {
	return tool(name, func(ctx context.Context, _ tools.Env) (tools.Output, error) {
		<-ctx.Done()
		return tools.Output{Text: "half done"}, ctx.Err()
	})
}

func TestAnAnswerStreamsAndTheTurnEnds(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("It is ", "four", " o'clock."))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt("what time is it")
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "It is four o'clock." {
		t.Errorf("ended %+v", turn.Ended)
	}
	var streamed string
	for _, text := range actorstest.TurnEvents[messages.Text](turn) {
		streamed += text.Chunk
	}
	if streamed != turn.Ended.Text {
		t.Errorf("streamed %q, ended with %q", streamed, turn.Ended.Text)
	}
	if turn.Ended.Usage.Turns != 1 || turn.Ended.Usage.ModelTurns["test-model"] != 1 || turn.Ended.Usage.Cost <= 0 {
		t.Errorf("usage %+v", turn.Ended.Usage)
	}
	sum := turn.Ended.Usage.InputTokens + turn.Ended.Usage.OutputTokens
	if changes := actorstest.TurnEvents[messages.UsageChanged](turn); len(changes) != 1 || changes[0].Context != (messages.Context{Used: sum, Limit: 226_000}) {
		t.Errorf("the context is shown as %+v, not %d of 226000 tokens", changes, sum)
	}
	for i, envelope := range turn.Events[1:] {
		if envelope.Seq <= turn.Events[i].Seq {
			t.Errorf("event %d follows %d", envelope.Seq, turn.Events[i].Seq)
		}
	}
}

func TestFourCallsInOneRound(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Calls(
			modeltest.Call{Name: "slow"}, modeltest.Call{Name: "quick"}, modeltest.Call{Name: "crash"}, modeltest.Call{Name: "endless"},
		),
		modeltest.Text("done"))
	slowMayEnd := make(chan struct{})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{
		tool("slow", func(ctx context.Context, _ tools.Env) (tools.Output, error) {
			select {
			case <-slowMayEnd:
				return tools.Output{Text: "slow result"}, nil
			case <-ctx.Done():
				return tools.Output{}, ctx.Err()
			}
		}),
		tool("quick", func(context.Context, tools.Env) (tools.Output, error) { return tools.Output{Text: "quick result"}, nil }),
		tool("crash", func(context.Context, tools.Env) (tools.Output, error) { panic("a bug in the tool") }),
		tools.New(tools.Def[noArgs]{
			Name: "endless", Doc: "endless", Timeout: 20 * time.Millisecond,
			Run: func(ctx context.Context, _ tools.Env, _ noArgs) (tools.Output, error) {
				<-ctx.Done()
				return tools.Output{Text: "so far"}, ctx.Err()
			},
		}),
	}})
	tree.Client.Send(messages.Say("go"))
	ended := map[string]messages.ToolEnded{}
	for range 3 {
		event := actorstest.ReadUntil[messages.ToolEnded](tree)
		ended[event.Name] = event
	}
	close(slowMayEnd)
	turn := tree.Finish()
	if turn.Ended.Outcome != messages.Completed {
		t.Fatalf("ended %+v", turn.Ended)
	}
	if len(ended) != 3 || ended["quick"].Status != messages.OK || ended["crash"].Status != messages.Crashed || ended["endless"].Status != messages.TimedOut {
		t.Errorf("before the slow one ended: %+v", ended)
	}
	var results []string
	for _, message := range server.Requests()[1].Messages {
		if message.Role == messages.Tool {
			results = append(results, message.Result.Text)
		}
	}
	want := []string{
		"slow result", "quick result",
		"Error: the tool crashed: a bug in the tool. Its effect is unknown. Try another way.",
		"so far\nError: timed out after 20ms. Ask for less at once, or, if the tool has a timeout, set a longer one.",
	}
	if strings.Join(results, "\n|") != strings.Join(want, "\n|") {
		t.Errorf("the model was told:\n%s", strings.Join(results, "\n|"))
	}
}

func TestPanicInAnActorBecomesAResult(t *testing.T) {
	bad := tools.New(tools.Def[noArgs]{
		Name: "bad", Doc: "bad",
		Confirm: func(tools.Env, noArgs) (string, string) { panic("a bug in the question") },
		Run:     func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "ran"}, nil },
	})
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "bad"}), modeltest.Text("I see"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{bad}})
	turn := tree.Prompt("go")
	ended := actorstest.TurnEvents[messages.ToolEnded](turn)
	if turn.Ended.Outcome != messages.Completed || len(ended) != 1 || ended[0].Status != messages.Crashed {
		t.Errorf("%s", actorstest.Lines(turn.Events))
	}
}

// A turn whose actor fails because of a bug reports its text so far, with the same line breaks
// between rounds as any other turn.
func TestATurnThatFailsTellsWhatItSaid(t *testing.T) {
	again := modeltest.Calls(modeltest.Call{Name: "step"})
	long := modeltest.Status(400, `{"error":{"message":"This model's maximum context length is 5000 tokens. However, your messages resulted in 6000 tokens."}}`)
	server := modeltest.Start(t, modeltest.Text("First.").Append(again), modeltest.Text("Second.").Append(again), long, modeltest.Text("fine"))
	models := actors.Models{Larger: func(actors.Choice, int) (actors.Choice, bool) { panic("a bug in the search for a larger model") }}
	step := tools.New(tools.Def[noArgs]{Name: "step", Doc: "step", Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) { return tools.Output{Text: "done"}, nil }})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{step}, Models: models})
	ended := tree.Prompt("go " + strings.Repeat("word ", 5500)).Ended
	if ended.Outcome != messages.Failed || ended.Text != "First.\nSecond." || !strings.Contains(ended.Err, "a bug in the search") || !strings.HasSuffix(ended.Err, "(a fault in Marvin; `marvin log` shows where)") {
		t.Errorf("ended %+v", ended)
	}
	if next := tree.Prompt("and now").Ended; next.Text != "fine" {
		t.Errorf("the next turn ended %+v", next)
	}
}

func TestPromptsQueueWhileATurnRuns(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("one").Append(modeltest.Pause(gate)), modeltest.Text("two"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	tree.Client.Send(messages.Say("first"))
	actorstest.ReadUntil[messages.Text](tree)
	tree.Client.Send(messages.Say("second"))
	close(gate)
	if first := tree.Finish(); first.Ended.Text != "one" {
		t.Errorf("first answer %q", first.Ended.Text)
	}
	if second := tree.Finish(); second.Ended.Text != "two" {
		t.Errorf("second answer %q", second.Ended.Text)
	}
	history := server.Requests()[1].Messages
	if len(history) != 4 || history[2].Text != "one" {
		t.Errorf("the second request does not continue the first: %+v", history)
	}
}

// Within a turn, each request repeats the earlier ones byte for byte, so that a provider's cache
// stays valid.
func TestRequestPrefixIsByteIdentical(t *testing.T) {
	steps := []modeltest.Step{}
	for i := range 5 {
		steps = append(steps, modeltest.Calls(modeltest.Call{Name: "say", Args: map[string]string{"text": fmt.Sprint("<round> & ", i)}}))
	}
	server := modeltest.Start(t, append(steps, modeltest.Text("done"))...)
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}})
	tree.Prompt("go")
	requests := server.Requests()
	for i := 1; i < len(requests); i++ {
		before := messagesOf(t, requests[i-1].Raw)
		now := messagesOf(t, requests[i].Raw)
		if !bytes.HasPrefix(now, bytes.TrimSuffix(before, []byte("]"))) {
			t.Errorf("request %d does not begin like the one before:\n%s\n%s", i, before, now)
		}
		if toolsOf(t, requests[i-1].Raw) != toolsOf(t, requests[i].Raw) {
			t.Errorf("the tools changed in request %d", i)
		}
	}
}

func TestAfterTheLastRoundTheAnswerComesWithoutTools(t *testing.T) {
	var asked atomic.Int32
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		asked.Add(1)
		if len(request.Tools) == 0 {
			return modeltest.Text("enough")
		}
		return modeltest.Calls(modeltest.Call{Name: "say", Args: map[string]string{"text": fmt.Sprint(request.N)}})
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}, Policy: &actors.Policy{}})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "enough" || asked.Load() != 11 {
		t.Errorf("%d requests, %+v", asked.Load(), turn.Ended)
	}
}

func TestExclusiveCallsRunAlone(t *testing.T) {
	var inside, most, writers atomic.Int32
	work := func(name string, access tools.Access, weight int32) tools.Tool {
		return tools.New(tools.Def[noArgs]{
			Name: name, Doc: name, Access: access,
			Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
				now := inside.Add(weight)
				defer inside.Add(-weight)
				for most.Load() < now && !most.CompareAndSwap(most.Load(), now) {
				}
				if weight > 1 && now != weight {
					return tools.Output{}, errors.New("not alone")
				}
				if weight > 1 {
					writers.Add(1)
				}
				time.Sleep(time.Millisecond) // long enough to overlap
				return tools.Output{Text: "ok"}, nil
			},
		})
	}
	var calls []modeltest.Call
	for range 6 {
		calls = append(calls, modeltest.Call{Name: "reads"}, modeltest.Call{Name: "writes"})
	}
	server := modeltest.Start(t, modeltest.Calls(calls...), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Dir: t.TempDir(),
		Tools: []tools.Tool{work("reads", tools.Shared, 1), work("writes", tools.Exclusive, 100)},
	})
	turn := tree.Prompt("go")
	for _, ended := range actorstest.TurnEvents[messages.ToolEnded](turn) {
		if ended.Status != messages.OK {
			t.Errorf("%s: %s", ended.Name, ended.Text)
		}
	}
	if writers.Load() != 6 || most.Load() > 100 {
		t.Errorf("%d writers ran, most weight at once %d", writers.Load(), most.Load())
	}
}

func TestFoundToolsAreOfferedFromTheNextRequestOn(t *testing.T) {
	registry := []tools.Tool{
		tools.New(tools.Def[sayArgs]{
			Name: "finder", Doc: "finder", Core: true,
			Run: func(context.Context, tools.Env, sayArgs) (tools.Output, error) {
				return tools.Output{Text: "extra_3", Offer: []string{"extra_3"}}, nil
			},
		}),
	}
	for i := range toolbox.OfferLimit {
		registry = append(registry, tool(fmt.Sprintf("extra_%d", i), func(context.Context, tools.Env) (tools.Output, error) {
			return tools.Output{Text: "extra"}, nil
		}))
	}
	server := modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "finder", Args: map[string]string{"text": "extra"}}),
		modeltest.Calls(modeltest.Call{Name: "extra_3"}),
		modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: registry})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Completed {
		t.Fatalf("%+v", turn.Ended)
	}
	var offered []string
	for _, request := range server.Requests() {
		var names []string
		for _, tool := range request.Tools {
			names = append(names, tool.Name)
		}
		offered = append(offered, strings.Join(names, " "))
	}
	if want := []string{"finder", "finder extra_3", "finder extra_3"}; strings.Join(offered, "|") != strings.Join(want, "|") {
		t.Errorf("offered %q", offered)
	}
}
