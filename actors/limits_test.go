package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestTheLastRoundIsTheLast(t *testing.T) {
	for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama} {
		var asked, without, ran atomic.Int32
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			if len(request.Tools) == 0 {
				without.Add(1)
			}
			return modeltest.Text("again ").Append(modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: fmt.Sprint(asked.Add(1))}}))
		})
		counted := tools.New(tools.Def[sayArgs]{Name: "say", Doc: "say", Run: func(_ context.Context, _ tools.Env, in sayArgs) (tools.Output, error) {
			ran.Add(1)
			return tools.Output{Text: in.Text}, nil
		}})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Wire: wire, Tools: []tools.Tool{counted}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Rounds: 2}},
		})
		turn := tree.Prompt("go")
		if ran.Load() != 2 || asked.Load() != 4 || without.Load() != 2 {
			t.Errorf("%v: %d calls ran, %d requests, %d of them without tools", wire, ran.Load(), asked.Load(), without.Load())
		}
		if turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "all 2 rounds of tool calls are used up") || !strings.Contains(turn.Ended.Text, "again") {
			t.Errorf("%v: ended %+v", wire, turn.Ended)
		}
		requests := server.Requests()
		if last := requests[len(requests)-1].Last(); last.Role != messages.Tool || !strings.Contains(last.Result.Text, "not executed: this turn has used up its 2 rounds") {
			t.Errorf("%v: the model got %+v", wire, last)
		}
		if next := tree.Prompt("once more"); next.Ended.Outcome != messages.Incomplete { // the stored conversation can be sent again
			t.Errorf("%v: the next turn %+v", wire, next.Ended)
		}
	}
}

// After the refusal the model may still answer in words. Calls that the output limit cut off count
// as well.
func TestWordsAfterTheRefusalAreTheAnswer(t *testing.T) {
	refused := 0
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		last := request.Last()
		switch {
		case last.Role == messages.Tool && strings.Contains(last.Result.Text, "rounds of tool calls"):
			refused++
			return modeltest.Text("this is what I know")
		case len(request.Tools) == 0:
			return modeltest.Calls(modeltest.Call{Name: "say", Args: `{"text":"x`}).WithFaults(modeltest.Finish("length"))
		}
		return modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: fmt.Sprint(len(request.Messages))}})
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Rounds: 1}}})
	if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "this is what I know" || refused != 1 {
		t.Errorf("refused %d times, ended %+v", refused, turn.Ended)
	}
}

func TestSubAgentsEndAsWell(t *testing.T) {
	var asked atomic.Int32
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		return modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: fmt.Sprint(asked.Add(1))}})
	}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(2, 2, nil), say()}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Rounds: 3}},
	})
	if turn := tree.Prompt("go"); strings.Count(turn.Ended.Text, "incomplete|") != 2 || asked.Load() != 2*5 {
		t.Errorf("%d requests, ended %+v", asked.Load(), turn.Ended)
	}
}

// dollar makes a request cost one dollar: 100,000 tokens at ten dollars per million.
func dollar(step modeltest.Step) modeltest.Step {
	return step.WithFaults(modeltest.Tokens(0, 0, 100_000))
}

// Parallel requests spend no more than sequential ones: near the limit they run one at a time, and
// only the last one may exceed it.
func TestTheCostLimitBoundsWhatIsUnderWay(t *testing.T) {
	for limit, most := range map[float64]float64{3: 3, 10.5: 11, 1: 1} {
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return dollar(delegating(echo)(request)) })
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Tools: []tools.Tool{delegate(64, 64, nil)}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: limit}},
		})
		turn := tree.Prompt("go")
		if cost := turn.Ended.Usage.Cost; cost < limit || cost > most+0.01 || turn.Ended.Outcome != messages.Incomplete {
			t.Errorf("limit $%g: it cost $%g, %+v", limit, cost, turn.Ended.Err)
		}
		if asked := len(server.Requests()); float64(asked) != most {
			t.Errorf("limit $%g: %d requests", limit, asked)
		}
	}
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return dollar(delegating(echo)(request)) })
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(64, 64, nil)}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: 1000}},
	})
	if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Completed || strings.Count(turn.Ended.Text, "completed|") != 64 {
		t.Errorf("far from the limit: %+v", turn.Ended)
	}
}

// A request that waits for budget can be cancelled, and another one takes its place.
func TestTurnWaitingForBudgetCanBeCancelled(t *testing.T) {
	begun := make(chan string, 100)
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		begun <- prompted(request)
		return modeltest.Hang()
	}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(8, 8, nil)}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: 0.01}},
	})
	tree.Client.Send(messages.Say("go"))
	select {
	case <-begun:
	case <-time.After(actorstest.Patience):
		t.Fatal("no sub-agent was asked anything")
	}
	tree.Client.Send(messages.Cancel{})
	turn := tree.Finish()
	if ended := actorstest.TurnEvents[messages.ToolEnded](turn); turn.Ended.Outcome != messages.Cancelled || len(ended) != 1 || strings.Count(ended[0].Text, "cancelled|") != 8 {
		t.Errorf("ended %+v, %+v", turn.Ended, ended)
	}
	if len(begun) > 0 {
		t.Errorf("%d more were asked, at once or after the cancel", len(begun))
	}
}

func TestATaskWithoutAPriceIsRefused(t *testing.T) {
	for limit, want := range map[float64]string{0: "completed|done with task 1|", 5: "failed||the price of mystery is unknown"} {
		server := modeltest.StartFunc(t, delegating(echo))
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Tools: []tools.Tool{delegate(1, 1, func(task *tools.Task) { task.Model = "mystery" })},
			Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: limit}},
		})
		if turn := tree.Prompt("go"); !strings.HasPrefix(turn.Ended.Text, want) || limit > 0 && !strings.Contains(turn.Ended.Text, "\"prices:\" in config.yaml") {
			t.Errorf("limit %g: %s", limit, turn.Ended.Text)
		}
	}
}

func TestAnAnswerWithoutEndEndsTheTurn(t *testing.T) {
	chunks := slices.Repeat([]string{strings.Repeat("word ", 13_000)}, 140) // 9 MB
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "go" {
			return modeltest.Text(chunks...).Append(modeltest.Hang())
		}
		return modeltest.Text("fine")
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt("go")
	if said := len(turn.Ended.Text); turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "its text is longer than 8 MiB") || said < 8_000_000 || said > 8<<20 {
		t.Errorf("%s, %s, %d bytes", turn.Ended.Outcome, turn.Ended.Err, said)
	}
}
