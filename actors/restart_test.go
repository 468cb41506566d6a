package actors_test

import (
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// faulty is a conversation whose model waits in the first turn, and whose session panics once when
// armed.
func faulty(t *testing.T, armed *atomic.Bool) *actorstest.Tree {
	asked := make(chan struct{}, 1)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if prompted(request) == "wait" {
			asked <- struct{}{}
			return modeltest.Hang()
		}
		return modeltest.Text("answer to " + prompted(request))
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Policy: &actors.Policy{Person: true}, Config: func(config *actors.Config) {
		config.Now = func() time.Time {
			if strings.Contains(string(debug.Stack()), "(*session).op") && armed.CompareAndSwap(true, false) {
				panic("a fault of the session")
			}
			return time.Now()
		}
	}})
	tree.Client.Send(messages.Say("wait"))
	<-asked
	return tree
}

func TestPromptsThatWaitOutliveAFaultOfTheSession(t *testing.T) {
	var armed atomic.Bool
	tree := faulty(t, &armed)
	tree.Client.Send(messages.Say("second"))
	tree.Client.Send(messages.SetMode{Coding: true})
	actorstest.ReadUntil[messages.ModeChanged](tree) // the session has taken the prompt
	armed.Store(true)
	tree.Client.Send(messages.SetMode{Coding: false})
	if first := tree.Finish().Ended; first.Outcome != messages.Failed {
		t.Errorf("the lost turn ended %s", first.Outcome)
	}
	if second := tree.Finish().Ended; second.Text != "answer to second" {
		t.Errorf("the prompt that waited was answered with %q", second.Text)
	}
}

func TestAFaultWhileQuittingDoesNotHoldTheEndUp(t *testing.T) {
	var armed atomic.Bool
	tree := faulty(t, &armed)
	tree.Client.Send(messages.Say("second")) // withdrawn at the end, where the panic happens
	armed.Store(true)
	if err := tree.System.Stop(); err != nil || armed.Load() {
		t.Errorf("the end: %v; the fault is still to come: %v", err, armed.Load())
	}
}

// Sending an op must not run the session, which may have much mail, as with a thousand sub-agents.
func TestWhoeverSendsAnOpDoesNotRunTheSession(t *testing.T) {
	var onSender atomic.Bool
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("fine") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Config: func(config *actors.Config) {
		config.Now = func() time.Time {
			if strings.Contains(string(debug.Stack()), "(*Client).Send") {
				onSender.Store(true)
			}
			return time.Now()
		}
	}})
	tree.Prompt("hi")
	if onSender.Load() {
		t.Error("the session ran on the goroutine of the front end")
	}
}
