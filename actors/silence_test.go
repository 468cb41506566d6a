package actors_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// steady sends this many words, one per second. Its channels belong to the caller's synctest bubble.
func steady(words int) modeltest.Step {
	step := modeltest.Text("begin")
	for n := range words {
		gate := make(chan struct{})
		time.AfterFunc(time.Duration(n+1)*time.Second, func() { close(gate) })
		step = step.Append(modeltest.Pause(gate), modeltest.Text(" word"))
	}
	return step
}

// After a question that ended in silence, its timers and messages must not affect the next
// question.
func TestAnAnswerOutlivesTheSilenceBeforeIt(t *testing.T) {
	virtually(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
			if request.N == 0 {
				return modeltest.Hang()
			}
			return steady(12)
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, HTTP: client, Policy: &actors.Policy{}, Wait: time.Hour,
			Tuning: actors.Tuning{Silence: 5 * time.Second},
		})
		if ended := tree.Prompt("A").Ended; !strings.Contains(ended.Err, "silent for 5s") {
			t.Fatalf("the first ended %+v", ended)
		}
		if ended := tree.Prompt("B").Ended; ended.Outcome != messages.Completed || ended.Text != "begin"+strings.Repeat(" word", 12) {
			t.Errorf("the second ended %+v", ended)
		}
	})
}

func TestTheSilenceLimitFollowsTheMode(t *testing.T) {
	virtually(t, func(t *testing.T) {
		server, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
			if request.N%2 == 0 {
				return modeltest.Text("fine")
			}
			return modeltest.Hang()
		})
		tree := actorstest.Start(t, actorstest.Setup{Server: server, HTTP: client, Policy: &actors.Policy{}, Wait: time.Hour})
		for _, coding := range []bool{true, false} {
			limit, told := 180*time.Second, "180s"
			if coding {
				limit, told = 900*time.Second, "900s"
			}
			tree.Prompt("hello") // makes the provider, in the other mode
			tree.Client.Send(messages.SetMode{Coding: coding})
			begun := time.Now()
			turn := tree.Prompt("hello?")
			if took := time.Since(begun); took < limit || took > limit+10*time.Second || !strings.Contains(turn.Ended.Err, "silent for "+limit.String()) {
				t.Errorf("coding %v: after %s it ended %+v", coding, took, turn.Ended)
			}
			if notices := actorstest.TurnEvents[messages.Notice](turn); len(notices) != 1 || !strings.Contains(notices[0].Text, "timed out after "+told) {
				t.Errorf("coding %v: the user gets %+v", coding, notices)
			}
		}
		tree.Prompt("hello")
	})
}

// A wait that Marvin itself announced does not count as silence of the model.
func TestAnAnnouncedWaitIsNoSilence(t *testing.T) {
	limited := func(seconds string) modeltest.Step {
		return modeltest.Status(http.StatusTooManyRequests, `{"error":{"message":"not now"}}`, "Retry-After", seconds)
	}
	again := modeltest.Text("back again")
	for name, script := range map[string][]modeltest.Step{
		"the answer comes": {limited("25"), limited("50"), modeltest.Text("fine"), again},
		"and silence":      {limited("25"), limited("50"), modeltest.Hang(), again},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				server, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step { return script[request.N] })
				tree := actorstest.Start(t, actorstest.Setup{
					Server: server, HTTP: client, Retry: true, Policy: &actors.Policy{}, Wait: time.Hour,
					Tuning: actors.Tuning{Silence: 20 * time.Second},
				})
				begun := time.Now()
				ended := tree.Prompt("hello").Ended
				took := time.Since(begun)
				if name == "the answer comes" && (ended.Text != "fine" || took != 75*time.Second) {
					t.Errorf("after %s it ended %+v", took, ended)
				}
				if name == "and silence" && (!strings.Contains(ended.Err, "silent for 20s") || took < 95*time.Second || took > 105*time.Second) {
					t.Errorf("after %s it ended %+v", took, ended)
				}
				if ended := tree.Prompt("hello").Ended; ended.Text != "back again" {
					t.Errorf("the next ended %+v", ended)
				}
			})
		})
	}
}

func TestProgressIsReported(t *testing.T) {
	for name, next := range map[string]modeltest.Step{
		"with text":   modeltest.Text(" and on"),
		"with a call": modeltest.Calls(modeltest.Call{Name: "say", Args: `{"text":"x"}`}),
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				server, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
					if request.N > 0 {
						return modeltest.Text("done")
					}
					step := modeltest.Text("so far")
					for _, after := range []time.Duration{15, 65, 75, 175} { // the pauses are 15, 50, 10 and 100 s
						gate := make(chan struct{})
						time.AfterFunc(after*time.Second, func() { close(gate) })
						step = step.Append(modeltest.Pause(gate), next)
					}
					return step
				})
				tree := actorstest.Start(t, actorstest.Setup{Server: server, HTTP: client, Tools: []tools.Tool{say()}, Policy: &actors.Policy{}, Wait: time.Hour})
				begun := time.Now()
				var told []string
				for _, one := range tree.Prompt("hello").Events {
					if waiting, ok := one.Event.(messages.Waiting); ok {
						told = append(told, fmt.Sprintf("%.0f: %s since %.0f", one.At.Sub(begun).Seconds(), waiting.Why, waiting.Since.Sub(begun).Seconds()))
						if waiting.Since.IsZero() != (waiting.Why == "") {
							t.Errorf("told %+v", waiting)
						}
					}
				}
				const why = "No data from the model for 20 s; Marvin gives up after 180 s."
				if len(told) != 4 || told[0] != "35: "+why+" since 15" || !strings.HasPrefix(told[1], "65: ") || told[2] != "95: "+why+" since 75" || !strings.HasPrefix(told[3], "175: ") {
					t.Errorf("told %q", told)
				}
			})
		})
	}
}
