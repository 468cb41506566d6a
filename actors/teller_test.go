package actors

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// teller is an actor of whose parent, and of others, all is heard.
type teller struct {
	t      *testing.T
	system *actor.ActorSystem
	heard  chan [2]string
}

func newTeller(t *testing.T) *teller {
	t.Helper()
	w := &teller{t: t, system: actor.NewActorSystem(), heard: make(chan [2]string, 1000)}
	t.Cleanup(w.system.Shutdown)
	return w
}

// hears is an actor that hears what it is told, under a name.
func (w *teller) hears(name string) *actor.PID {
	return w.system.Root.Spawn(actor.PropsFromFunc(w.hear(name)))
}

func (w *teller) hear(name string) actor.ReceiveFunc {
	return func(c actor.Context) {
		switch message := c.Message().(type) {
		case *actor.Started, *actor.Stopping, *actor.Stopped, *actor.Terminated:
		case chan struct{}:
			close(message)
		default:
			w.heard <- [2]string{name, strings.TrimSpace(name + " " + briefly(message))}
		}
	}
}

// briefly is a message in a line.
func briefly(message any) string {
	switch message := message.(type) {
	case messages.Notice:
		return string(message.Level) + ": " + message.Text
	case messages.AgentChanged:
		return fmt.Sprintf("%d is %s %d", message.Agent, message.State, message.Rounds)
	case messages.AgentShown:
		return fmt.Sprintf("%d shown as %s", message.Agent, message.State)
	case rung:
		return fmt.Sprintf("rung %q %v", message.lines, message.alarmClock != nil)
	case jobsSettled:
		return fmt.Sprintf("settled %d", len(message.left))
	case stopJob:
		return "stop " + message.why
	case jobEnded:
		return fmt.Sprintf("ended %s %v", message.job.ID, message.read)
	case jobRead:
		return "read " + message.id
	case retract:
		return "retract " + message.ask
	}
	return strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", message), "messages."), "actors.")
}

// during has work done by an actor below one that hears, and gives what that one and others
// heard, by their names.
func (w *teller) during(work func(actor.Context), others ...*actor.PID) []string {
	w.t.Helper()
	done, parent := make(chan struct{}), make(chan *actor.PID, 1)
	hear := w.hear("")
	pid := w.system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, begins := c.Message().(*actor.Started); begins {
			c.Spawn(actor.PropsFromFunc(func(c actor.Context) {
				if _, begins := c.Message().(*actor.Started); begins {
					defer func() { // else it is begun again
						if crashed := recover(); crashed != nil {
							w.t.Errorf("it crashed: %v", crashed)
						}
						close(done)
					}()
					work(c)
				}
			}))
			parent <- c.Self()
			return
		}
		hear(c)
	}))
	receive(w.t, done, "the work")
	receive(w.t, parent, "who is above")
	for _, one := range append([]*actor.PID{pid}, others...) {
		behind := make(chan struct{})
		w.system.Root.Send(one, behind)
		receive(w.t, behind, "all that was said")
	}
	var all [][2]string
	for len(w.heard) > 0 {
		all = append(all, <-w.heard)
	}
	slices.SortStableFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) }) // who hears first is left open
	var said []string
	for _, line := range all {
		said = append(said, line[1])
	}
	return said
}
