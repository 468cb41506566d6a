package actors_test

import (
	"math"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// neverDone is a model that calls a tool in every answer, with text of about a thousand tokens.
func neverDone(faults ...modeltest.Fault) func(modeltest.Request) modeltest.Step {
	return func(modeltest.Request) modeltest.Step {
		return modeltest.Text(strings.Repeat("word ", 1000)).Append(modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: "x"}})).WithFaults(faults...)
	}
}

// Costs and limits depend on the tokens that a server reports. Impossible numbers are replaced by
// an estimate, with one notice, so the cost limit still ends the turn.
func TestImpossibleTokenCountsDoNotLiftTheCostLimit(t *testing.T) {
	for name, tokens := range map[string]modeltest.Fault{
		"negative output": modeltest.Tokens(1, 0, -1), "negative input": modeltest.Tokens(-100, 0, 100), "too many": modeltest.Tokens(math.MaxInt64, 0, 1),
		"a cache that is larger": modeltest.Tokens(10, 1_000_000, 1),
	} {
		for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama, modeltest.Anthropic, modeltest.Responses} {
			if strings.Contains(name, "cache") && (wire == modeltest.Ollama || wire == modeltest.Anthropic) {
				continue // the first reports no cache, the second counts it apart from the input
			}
			server := modeltest.StartFunc(t, neverDone(tokens))
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Wire: wire, Tools: []tools.Tool{say()}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: 0.045}}})
			turn := tree.Prompt("go")
			usage := turn.Ended.Usage
			if turn.Ended.Outcome != messages.Incomplete || usage.Cost < 0.045 || usage.Cost > 1 || usage.InputTokens < 0 || usage.OutputTokens < 0 || usage.Estimated != usage.Turns || usage.Turns > 10 {
				t.Errorf("%s, %s: %+v", name, wire, turn.Ended)
			}
			said := 0
			for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
				if strings.Contains(notice.Text, "impossible token counts") {
					said++
				}
			}
			if said != 1 {
				t.Errorf("%s, %s: said %d times", name, wire, said)
			}
		}
	}
}

// Reasoning costs as much as other output, also if the server reports no usage.
func TestReasoningCountsTowardsTheCostLimit(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Think(strings.Repeat("thought ", 4000)).Append(modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: "x"}})).WithFaults(modeltest.NoUsage())
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: 0.15, Rounds: 20}}})
	if ended := tree.Prompt("go").Ended; ended.Usage.Cost < 0.15 || ended.Usage.Turns > 5 {
		t.Errorf("%+v", ended)
	}
}

// A model without a price counts with an assumed price under a cost limit, and as 0 without one.
func TestAModelWithoutAPriceEndsAtTheCostLimit(t *testing.T) {
	for limit, want := range map[float64]struct {
		turns int
		said  int
	}{2: {2, 1}, 0: {4, 0}} { // a server on this machine costs nothing
		server := modeltest.StartFunc(t, neverDone(modeltest.Tokens(10, 0, 50_000))) // $1.25 by the assumed price
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: limit, Rounds: 2}}})
		tree.Client.Send(messages.SetModel{Model: "mystery"})
		turn := tree.Prompt("go")
		said := 0
		for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
			if strings.Contains(notice.Text, "The price of mystery is unknown, so with --max-cost it counts as $5 for") {
				said++
			}
		}
		if usage := turn.Ended.Usage; usage.Turns != want.turns || said != want.said || (usage.Cost > 0) != (limit > 0) {
			t.Errorf("limit %g: %+v, said %d times", limit, turn.Ended, said)
		}
	}
}
