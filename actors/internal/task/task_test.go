package task_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
)

const patience = 2 * time.Minute

// begin is the first mail of a test's actor; the actor runs it.
type begin func(actor.Context)

// mailbox is an actor that runs the functions it receives, and forwards all other mail.
func mailbox(t *testing.T) (system *actor.ActorSystem, pid *actor.PID, heard chan any) {
	t.Helper()
	system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	heard = make(chan any, 64)
	pid = system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch message := c.Message().(type) {
		case begin:
			message(c)
		case *actor.Terminated:
			task.MailTerminated(c, message)
		case actor.SystemMessage, actor.AutoReceiveMessage:
		default:
			heard <- message
		}
	}))
	t.Cleanup(func() {
		_ = system.Root.StopFuture(pid).Wait()
		system.Shutdown()
	})
	return system, pid, heard
}

// next returns the next forwarded mail.
func next(t *testing.T, heard <-chan any) any {
	t.Helper()
	select {
	case message := <-heard:
		return message
	case <-time.After(patience):
		t.Fatal("nothing came")
		return nil
	}
}

func TestWorkBringsExactlyOneOutcome(t *testing.T) {
	var nothing map[string]int
	for name, one := range map[string]struct {
		work func() any
		want string
	}{
		"a value":      {func() any { return "done" }, "done"},
		"an error":     {func() any { return fmt.Errorf("no") }, "no"},
		"a panic":      {func() any { panic("a bug") }, "crashed: a bug"},
		"a fault":      {func() any { nothing["x"] = 1; return "done" }, "crashed: assignment to entry in nil map"},
		"a panic late": {func() any { defer func() { panic("late") }(); return "done" }, "crashed: late"},
	} {
		t.Run(name, func(t *testing.T) {
			system, pid, heard := mailbox(t)
			system.Root.Send(pid, begin(func(c actor.Context) {
				task.Do(c, one.work, func(panicked *task.Panicked) any {
					if !strings.Contains(string(panicked.Stack), "task_test.go") {
						t.Errorf("the stack does not lead to the work:\n%s", panicked.Stack)
					}
					return panicked
				})
			}))
			if got := fmt.Sprint(next(t, heard)); got != one.want {
				t.Errorf("it brought %q", got)
			}
			system.Root.Send(pid, "the end")
			if got := next(t, heard); got != "the end" {
				t.Errorf("it brought %v too", got)
			}
		})
	}
}

func TestActorContinuesDuringItsTask(t *testing.T) {
	system, pid, heard := mailbox(t)
	release := make(chan struct{})
	system.Root.Send(pid, begin(func(c actor.Context) {
		task.Do(c, func() any { <-release; return "late" }, func(panicked *task.Panicked) any { return panicked })
	}))
	system.Root.Send(pid, "meanwhile")
	if got := next(t, heard); got != "meanwhile" {
		t.Errorf("first came %v", got)
	}
	close(release)
	if got := next(t, heard); got != "late" {
		t.Errorf("then came %v", got)
	}
}

func TestATimerMailsOnceUnlessItIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // virtual time: on a busy machine one could fire before it is stopped
		t.Cleanup(func() { time.Sleep(time.Minute) }) // virtual, too: for a second protoactor counts mail for ended actors
		system, pid, heard := mailbox(t)
		system.Root.Send(pid, begin(func(c actor.Context) {
			stop := task.After(c, 5*time.Millisecond, "stopped")
			stop()
			stop() // a second call does no harm
			task.After(c, 20*time.Millisecond, "second")
			task.After(c, time.Millisecond, "first")
		}))
		for _, want := range []string{"first", "second"} {
			if got := next(t, heard); got != want {
				t.Errorf("%v instead of %s", got, want)
			}
		}
	})
}

// A timer that outlives its actor sends nothing: a dead letter would be an error in the log.
func TestATimerOfADeadActorIsNoDeadLetter(t *testing.T) {
	system, pid, _ := mailbox(t)
	dead := make(chan any, 8)
	system.EventStream.Subscribe(func(event any) {
		if letter, ok := event.(*actor.DeadLetterEvent); ok {
			if text, ours := letter.Message.(string); ours {
				dead <- text
			}
		}
	})
	armed := make(chan struct{})
	system.Root.Send(pid, begin(func(c actor.Context) {
		task.After(c, 10*time.Millisecond, "too late")
		close(armed)
	}))
	<-armed
	if err := system.Root.StopFuture(pid).Wait(); err != nil {
		t.Fatal(err)
	}
	// A later and longer timer of another actor shows when the first one is over.
	rung := make(chan struct{})
	other := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		switch c.Message().(type) {
		case *actor.Started:
			task.After(c, 30*time.Millisecond, "now")
		case string:
			close(rung)
		}
	}))
	<-rung
	if err := system.Root.StopFuture(other).Wait(); err != nil {
		t.Fatal(err)
	}
	system.Root.Send(pid, "a letter")
	if got := next(t, dead); got != "a letter" {
		t.Errorf("a dead letter says %v", got)
	}
}

func TestAnObituaryComesBehindTheLastWords(t *testing.T) {
	for range 20 {
		system, pid, heard := mailbox(t)
		said := make(chan struct{})
		system.Root.Send(pid, begin(func(c actor.Context) {
			parent := c.Self()
			child := c.Spawn(actor.PropsFromFunc(func(c actor.Context) {
				if _, started := c.Message().(*actor.Started); started {
					for i := range 10 {
						c.Send(parent, i)
					}
					c.Stop(c.Self())
					close(said)
				}
			}))
			c.Watch(child)
			<-said // the parent is busy until all messages are in its mailbox
		}))
		for i := range 10 {
			if got := next(t, heard); got != i {
				t.Fatalf("%v instead of %d", got, i)
			}
		}
		if gone, ok := next(t, heard).(task.ChildGone); !ok || gone.Who == nil {
			t.Fatalf("%+v is no obituary", gone)
		}
	}
}
