package actors_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
	"marvin/tools"
)

const (
	stops   = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	figures = `{"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":50}}` // $0.0015
)

// tardy answers, and reports the usage after the given time, or never if the time is 0.
func tardy(after time.Duration) modeltest.Step {
	gate := make(chan struct{})
	if after > 0 {
		time.AfterFunc(after, func() { close(gate) })
	}
	return modeltest.Text("hello").Append(modeltest.Raw(stops), modeltest.Pause(gate), modeltest.Raw(figures), modeltest.Raw("[DONE]"), modeltest.End())
}

func TestTheAccountFollows(t *testing.T) {
	for name, test := range map[string]struct {
		person bool
		after  time.Duration
		ends   time.Duration // of the turn
		known  bool
	}{
		"a person goes on":              {true, 8 * time.Second, 500 * time.Millisecond, true},
		"a run waits":                   {false, 8 * time.Second, 8 * time.Second, true},
		"a person, and none comes":      {true, 0, 500 * time.Millisecond, false},
		"a run waits, but not for ever": {false, 0, 15500 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step { return tardy(test.after) })
				home := t.TempDir()
				tree := actorstest.Start(t, actorstest.Setup{Server: server, HTTP: client, Home: home, Wait: time.Hour, Policy: &actors.Policy{Person: test.person}})
				begun := time.Now()
				turn := tree.Prompt("hi")
				if took := time.Since(begun); took != test.ends || turn.Ended.Text != "hello" || turn.Ended.Outcome != messages.Completed {
					t.Errorf("after %s: %+v", took, turn.Ended)
				}
				spoke := actorstest.TurnEvents[messages.Text](turn)
				if len(spoke) == 0 || turn.Events[len(turn.Events)-1].At.Sub(begun) != test.ends {
					t.Errorf("said %+v", turn.Events)
				}
				usage := turn.Ended.Usage
				if test.person && (usage.Turns != 1 || usage.Estimated != 1 || usage.InputTokens == 0 || usage.OutputTokens == 0 || usage.Cost == 0) {
					t.Errorf("at first the usage is %+v", usage)
				}
				if test.person && test.known {
					usage = actorstest.ReadUntil[messages.UsageChanged](tree).Usage
				}
				time.Sleep(20 * time.Second) // virtual time; no request is waiting any more
				if exact := usage.InputTokens == 1000 && usage.OutputTokens == 50 && usage.Estimated == 0 && usage.Cost > 0.00149 && usage.Cost < 0.00151; exact != test.known || usage.Turns != 1 {
					t.Errorf("in the end the usage is %+v", usage)
				}
				if err := tree.System.Stop(); err != nil {
					t.Fatal(err)
				}
				if again := actorstest.Pick[messages.TurnEnded](tree.Rest()); len(again) > 0 {
					t.Errorf("the turn ended again: %+v", again)
				}
				total, err := spending.Of(persistence.Open(home, time.Now)).Usage()
				tokens := total.ProviderTokens["openai-compat"]
				if err != nil || total.Turns != 1 || total.ModelTurns["test-model"] != 1 || tokens["input"] != usage.InputTokens || tokens["output"] != usage.OutputTokens || total.Cost != usage.Cost {
					t.Errorf("the lifetime sums are %+v, %v; the session's %+v", total, err, usage)
				}
			})
		})
	}
}

func TestACancelDoesNotWaitForFigures(t *testing.T) {
	virtually(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(modeltest.Request) modeltest.Step { return tardy(0) })
		tree := actorstest.Start(t, actorstest.Setup{Server: server, HTTP: client, Wait: time.Hour, Policy: &actors.Policy{}})
		begun := time.Now()
		tree.Client.Send(messages.Say("hi"))
		time.AfterFunc(3*time.Second, func() { tree.Client.Send(messages.Cancel{}) })
		if ended := tree.Finish().Ended; ended.Outcome != messages.Completed || time.Since(begun) != 3*time.Second || ended.Usage.Estimated != 1 {
			t.Errorf("after %s: %+v", time.Since(begun), ended)
		}
		time.Sleep(20 * time.Second) // virtual time; no request is waiting any more
	})
}

func TestATornCallIsNotRun(t *testing.T) {
	var runs atomic.Int32
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch {
		case request.Last().Role == messages.User:
			return modeltest.Raw(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"count","arguments":"{\"n\":1"}}]}}]}`).
				Append(modeltest.Malformed(), modeltest.Raw(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}`)).WithFaults(modeltest.Finish("tool_calls"))
		case strings.Contains(request.Last().Result.Text, "part of your reply was lost, perhaps part of this call"):
			return modeltest.Calls(modeltest.Call{Name: "count"})
		}
		return modeltest.Text("counted")
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{counter(&runs, func() {})}})
	turn := tree.Prompt("go")
	notices := actorstest.TurnEvents[messages.Notice](turn)
	if runs.Load() != 1 || turn.Ended.Text != "counted" || len(notices) != 1 || !strings.HasPrefix(notices[0].Text, "1 damaged piece of the answer was skipped") {
		t.Errorf("%d runs, told %+v, ended %+v", runs.Load(), notices, turn.Ended)
	}
}
