package kernel

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
)

// clumsy panics on demand.
type clumsy struct {
	at      any // a message of the type to panic at
	born    chan<- struct{}
	results chan<- any
}

func (a *clumsy) Receive(c actor.Context) {
	if fmt.Sprintf("%T", c.Message()) == fmt.Sprintf("%T", a.at) {
		panic("clumsy at " + fmt.Sprintf("%T", a.at))
	}
	switch message := c.Message().(type) {
	case *actor.Started:
		a.born <- struct{}{}
	case func(actor.Context):
		message(c)
	case string:
		a.results <- message
	}
}

// owner is the parent of the clumsy actors; it reports their end.
type owner struct{ gone chan<- *actor.PID }

func (o *owner) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Props:
		c.Respond(c.Spawn(message))
	case *actor.Terminated:
		o.gone <- message.Who
	}
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(2 * time.Minute):
		t.Fatal("waited in vain for " + what)
		panic("unreachable")
	}
}

func TestAPanicAtTheEndOfALifeIsStillTheEnd(t *testing.T) {
	for _, at := range []any{&actor.Stopping{}, &actor.Stopped{}} {
		t.Run(fmt.Sprintf("%T", at), func(t *testing.T) {
			system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
			var log bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&log, nil))
			gone, born := make(chan *actor.PID, 1), make(chan struct{}, 2)
			parent := system.Root.Spawn(Props(logger, func() actor.Actor { return &owner{gone: gone} }))
			child := Props(logger, func() actor.Actor { return &clumsy{at: at, born: born} })
			reply, err := system.Root.RequestFuture(parent, child, 2*time.Minute).Result()
			if err != nil {
				t.Fatal(err)
			}
			receive(t, born, "the birth")
			system.Root.Stop(reply.(*actor.PID))
			if who := receive(t, gone, "the obituary"); !who.Equal(reply.(*actor.PID)) {
				t.Errorf("the obituary is of %v", who)
			}
			if len(born) > 0 {
				t.Error("it was resurrected")
			}
			if err := system.Root.StopFuture(parent).Wait(); err != nil {
				t.Error(err)
			}
			if !strings.Contains(log.String(), "clumsy at") || !strings.Contains(log.String(), "guard_test.go") {
				t.Errorf("the log has no reason or no stack: %s", log.String())
			}
			system.Shutdown()
		})
	}
}

func TestWorkThatPanicsMailsOneOutcome(t *testing.T) {
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	born, results := make(chan struct{}, 1), make(chan any, 3)
	pid := system.Root.Spawn(Props(slog.New(slog.DiscardHandler), func() actor.Actor { return &clumsy{born: born, results: results} }))
	receive(t, born, "the birth")
	system.Root.Send(pid, func(c actor.Context) {
		task.Do(c, func() any { panic("in the work") }, func(panicked *task.Panicked) any {
			return "caught: " + panicked.Error()
		})
		stop := task.After(c, time.Hour, "never")
		stop()
		task.After(c, time.Millisecond, "later")
	})
	got := []any{receive(t, results, "the outcome"), receive(t, results, "the timer")}
	if fmt.Sprint(got) != "[caught: crashed: in the work later]" && fmt.Sprint(got) != "[later caught: crashed: in the work]" {
		t.Errorf("mail: %v", got)
	}
	if err := system.Root.StopFuture(pid).Wait(); err != nil {
		t.Error(err)
	}
	system.Shutdown()
}
