package actors_test

import (
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestACutAnswerIsContinuedWithNothingTwice(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Text("The answer to this is surely fort").Append(modeltest.End()),
		modeltest.Text("is surely forty-two, ", "as everyone knows."),
		modeltest.Text("yes"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt("what is it")
	if want := "The answer to this is surely forty-two, as everyone knows."; turn.Ended.Outcome != messages.Completed || turn.Ended.Text != want {
		t.Errorf("ended %+v", turn.Ended)
	}
	var streamed strings.Builder
	for _, text := range actorstest.TurnEvents[messages.Text](turn) {
		streamed.WriteString(text.Chunk)
	}
	if streamed.String() != turn.Ended.Text {
		t.Errorf("streamed %q", streamed.String())
	}
	second := server.Requests()[1].Messages
	if kept := second[len(second)-2]; kept.Role != messages.Assistant || kept.Text != "The answer to this is surely fort" {
		t.Errorf("the model is not shown its own words: %+v", kept)
	}
	tree.Prompt("really?")
	if third := server.Requests()[2].Messages; len(third) != 4 || third[2].Text != turn.Ended.Text {
		t.Errorf("later it is remembered as %+v", third)
	}
}

func TestAnAnswerThatBreaksOffTwiceIsIncomplete(t *testing.T) {
	server := modeltest.Start(t,
		modeltest.Text("One, two").Append(modeltest.End()), modeltest.Text(", three").Append(modeltest.Reset()))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	turn := tree.Prompt("count")
	if turn.Ended.Outcome != messages.Incomplete || turn.Ended.Text != "One, two, three" || turn.Ended.Err == "" {
		t.Errorf("ended %+v", turn.Ended)
	}
}

func TestAnotherProviderTakesOver(t *testing.T) {
	cases := map[string]struct {
		steps []modeltest.Step
		want  string
	}{
		"before a word":       {[]modeltest.Step{modeltest.Status(401, `{"error":{"message":"bad key"}}`)}, "Here to help."},
		"in the middle twice": {[]modeltest.Step{modeltest.Text("I am ").Append(modeltest.End()), modeltest.End()}, "I am Here to help."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			server := modeltest.Start(t, c.steps...)
			other := modeltest.Start(t, modeltest.Text("Here to help."))
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Other: other})
			turn := tree.Prompt("help")
			if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != c.want {
				t.Errorf("ended %+v", turn.Ended)
			}
			notices := actorstest.TurnEvents[messages.Notice](turn)
			if len(notices) != 1 || !strings.HasPrefix(notices[0].Text, "⚠️ openai-compat error: ") || !strings.HasSuffix(notices[0].Text, " — falling back to Copilot SDK") {
				t.Errorf("notices %+v", notices)
			}
			changed := actorstest.TurnEvents[messages.ModelChanged](turn)
			if len(changed) != 1 || changed[0].Provider != "copilot" {
				t.Errorf("changed %+v", changed)
			}
			if turn.Ended.Usage.ModelTurns["other-model"] != 1 {
				t.Errorf("usage %+v", turn.Ended.Usage)
			}
		})
	}
}

func TestATakeOverRepeatsNothing(t *testing.T) {
	cases := map[string]struct{ second, third, want string }{
		"backs up over both":  {"forty-two. Then it tells what it fou", "Then it tells what it found: the agent reads.", "The answer is surely forty-two. Then it tells what it found: the agent reads."},
		"tells all again":     {"forty-two. Then it tells what it fou", "The answer is surely forty-two. Then it tells what it found: more.", "The answer is surely forty-two. Then it tells what it found: more."},
		"goes on from there":  {"forty-two. Then it tells what it fou", "nd: the agent reads.", "The answer is surely forty-two. Then it tells what it found: the agent reads."},
		"the second was mute": {"", "is surely forty-two.", "The answer is surely forty-two."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			second := modeltest.End()
			if c.second != "" {
				second = modeltest.Text(c.second).Append(modeltest.Reset())
			}
			server := modeltest.Start(t, modeltest.Text("The answer is surely ").Append(modeltest.Reset()), second)
			other := modeltest.Start(t, modeltest.Text(c.third), modeltest.Text("yes"))
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Other: other})
			turn := tree.Prompt("what is it")
			if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != c.want {
				t.Errorf("ended %+v", turn.Ended)
			}
			var streamed strings.Builder
			for _, text := range actorstest.TurnEvents[messages.Text](turn) {
				streamed.WriteString(text.Chunk)
			}
			if streamed.String() != c.want {
				t.Errorf("streamed %q", streamed.String())
			}
			told := other.Requests()[0].Messages
			if kept := told[len(told)-2]; kept.Role != messages.Assistant || kept.Text != "The answer is surely "+c.second {
				t.Errorf("the other provider is not shown what was said: %+v", told)
			}
			tree.Client.Send(messages.Prompt{Text: "really?", Provider: "copilot"})
			tree.Finish()
			if later := other.Requests()[1].Messages; len(later) != 4 || later[2].Text != c.want {
				t.Errorf("later it is remembered as %+v", later)
			}
		})
	}
}

func TestWithoutAFallbackTheOriginalErrorIsSeen(t *testing.T) {
	server := modeltest.Start(t, modeltest.Status(401, `{"error":{"message":"bad key"}}`))
	tree := actorstest.Start(t, actorstest.Setup{Server: server})
	if turn := tree.Prompt("help"); turn.Ended.Outcome != messages.Failed || !strings.Contains(turn.Ended.Err, "401: bad key") {
		t.Errorf("ended %+v", turn.Ended)
	}
}

func TestAPromptMayAskForAnotherProvider(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("mine again"))
	other := modeltest.Start(t, modeltest.Text("from the other"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Other: other})
	tree.Client.Send(messages.Prompt{Text: "once", Provider: "copilot"})
	if turn := tree.Finish(); turn.Ended.Text != "from the other" {
		t.Errorf("ended %+v", turn.Ended)
	}
	if turn := tree.Prompt("again"); turn.Ended.Text != "mine again" {
		t.Errorf("ended %+v", turn.Ended)
	}
	if history := server.Requests()[0].Messages; len(history) != 4 || history[2].Text != "from the other" {
		t.Errorf("the conversation is not carried over: %+v", history)
	}
}

// The loop guard warns the model and then ends the turn.
func TestTheSameCallForEver(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		return modeltest.Calls(modeltest.Call{Name: "say", Args: map[string]string{"text": "same"}})
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "same results 6 times") {
		t.Errorf("ended %+v", turn.Ended)
	}
	requests := server.Requests()
	if len(requests) != 6 || !strings.Contains(requests[3].Last().Result.Text, "[Marvin: you have now made the same call 3 times") {
		t.Errorf("%d requests; the model got %q", len(requests), requests[len(requests)-1].Last().Result.Text)
	}
}

func TestLimitsEndATurn(t *testing.T) {
	again := 0
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) == 0 {
			return modeltest.Text("that is all")
		}
		again++
		return modeltest.Calls(modeltest.Call{Name: "say", Args: map[string]string{"text": strings.Repeat("x", again)}})
	})
	limited := func(limits actors.Limits) messages.TurnEnded {
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{say()}, Policy: &actors.Policy{Coding: true, Limits: limits}})
		return tree.Prompt("go").Ended
	}
	if ended := limited(actors.Limits{Rounds: 3}); ended.Outcome != messages.Completed || ended.Usage.Turns != 4 {
		t.Errorf("rounds: %+v", ended)
	}
	if ended := limited(actors.Limits{Cost: 0.000001}); ended.Outcome != messages.Incomplete || ended.Err != "the cost limit of $1e-06 has been reached" || ended.Usage.Turns != 1 {
		t.Errorf("cost: %+v", ended)
	}
}

func TestTheTimeLimitEndsATurnAsPolitelyAsACancel(t *testing.T) {
	virtually(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step {
			return modeltest.Text("half").Append(modeltest.Hang())
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, HTTP: client, Wait: time.Hour,
			Policy: &actors.Policy{Limits: actors.Limits{Time: time.Minute}},
		})
		begun := time.Now()
		ended := tree.Prompt("go").Ended
		if ended.Outcome != messages.Incomplete || ended.Text != "half" || ended.Err != "the time limit of 1m0s has been reached" || time.Since(begun) != time.Minute {
			t.Errorf("after %s: %+v", time.Since(begun), ended)
		}
	})
}
