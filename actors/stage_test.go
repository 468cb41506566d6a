package actors

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence/goldentest"
)

// noon is when everything on a stage begins.
var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// stage is where one part or one actor is alone with those that it mails to, of whom each writes
// down what it hears. Under golden each scene is held with all that was heard in it.
type stage struct {
	t      *testing.T
	system *actor.ActorSystem
	above  *actor.PID // whose children are tried
	self   *actor.PID
	now    time.Time
	log    bytes.Buffer
	golden strings.Builder
	names  []string      // of those who hear
	gone   chan struct{} // closed when the actor that is tried ended

	awaited bool // what work beside the actor came to

	mu    sync.Mutex
	heard map[string][]string
	more  chan struct{}       // somebody heard something
	on    func(actor.Context) // takes the mail of self that is no work; nil writes it down
}

// newStage has the mail to self go to an actor, or be written down where there is none.
func newStage(t *testing.T, of func(actor.Context)) *stage {
	t.Helper()
	s := &stage{t: t, system: quietly(), now: noon, heard: map[string][]string{}, more: make(chan struct{}, 10_000), on: of}
	t.Cleanup(s.system.Shutdown)
	s.above = s.named("above")
	s.enter()
	return s
}

// quietly is a system that prints nothing.
func quietly() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
}

// receive is the actor that is tried: work is done in it, everything else is its mail.
func (s *stage) receive(c actor.Context, of func(actor.Context)) {
	switch message := c.Message().(type) {
	case func(actor.Context):
		message(c)
	case *actor.Started, *actor.Terminated, *actor.Stopping, *actor.Stopped:
	default:
		if of != nil {
			defer func() {
				if reason := recover(); reason != nil {
					s.t.Errorf("of %s it crashed: %v\n%s", plain(message), reason, debug.Stack())
				}
			}()
			of(c)
			return
		}
		s.mu.Lock()
		old := !c.Self().Equal(s.self)
		s.mu.Unlock()
		if !old {
			s.note("self", message)
		}
	}
}

// enter begins a new actor to be tried.
func (s *stage) enter() {
	made, of, gone := make(chan *actor.PID, 1), s.on, make(chan struct{})
	s.system.Root.Send(s.above, func(c actor.Context) {
		made <- c.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if s.receive(c, of); isStopped(c.Message()) {
				close(gone)
			}
		}))
	})
	self := receive(s.t, made, "the stage")
	s.mu.Lock()
	s.self, s.gone, s.heard["self"] = self, gone, nil
	s.mu.Unlock()
}

func isStopped(message any) bool { _, is := message.(*actor.Stopped); return is }

// named is an actor that writes down what it hears.
func (s *stage) named(name string) *actor.PID {
	pid, err := s.system.Root.SpawnNamed(actor.PropsFromFunc(func(c actor.Context) {
		switch message := c.Message().(type) {
		case *actor.Started, *actor.Terminated, *actor.Stopping, *actor.Stopped:
		case func(actor.Context):
			message(c)
		default:
			s.note(name, message)
		}
	}), name)
	if err != nil {
		s.t.Fatal(err)
	}
	s.names = append(s.names, name)
	return pid
}

func (s *stage) note(who string, message any) {
	s.mu.Lock()
	s.heard[who] = append(s.heard[who], plain(message))
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default: // who waits has enough to wake up of
	}
}

// at is who has a name.
func (s *stage) at(name string) *actor.PID { return actor.NewPID(s.above.Address, name) }

// do does work in the actor that is tried, and waits until all that it mailed is heard. Without
// an actor of its own it is another one each time, as work may end it.
func (s *stage) do(work func(actor.Context)) {
	s.t.Helper()
	if s.on == nil {
		s.enter()
	}
	crashed := make(chan string, 1)
	s.system.Root.Send(s.self, func(c actor.Context) {
		defer close(crashed)
		defer func() {
			if reason := recover(); reason != nil {
				crashed <- fmt.Sprintf("%v\n%s", reason, debug.Stack())
			}
		}()
		work(c)
	})
	if why := receive(s.t, crashed, "its work"); why != "" {
		s.t.Fatal(why)
	}
	s.read()
}

// read waits until everybody read the mail that there is.
func (s *stage) read() {
	s.t.Helper()
	for _, name := range s.names {
		read := make(chan struct{})
		s.system.Root.Send(s.at(name), func(actor.Context) { close(read) })
		receive(s.t, read, name)
	}
}

// await waits until somebody heard so much since the last scene.
func (s *stage) await(who string, count int) {
	s.t.Helper()
	for {
		s.mu.Lock()
		there := len(s.heard[who])
		s.mu.Unlock()
		if there >= count {
			s.awaited = true
			s.read()
			return
		}
		receive(s.t, s.more, "what "+who+" hears")
	}
}

// take gives what was heard since, by whom, in the order of their names: of what the actor that
// is tried hears from its own work only what was waited for.
func (s *stage) take() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.awaited {
		delete(s.heard, "self")
	}
	s.awaited = false
	for _, name := range slices.Sorted(maps.Keys(s.heard)) {
		for _, message := range s.heard[name] {
			lines = append(lines, name+" < "+message)
		}
		s.heard[name] = nil
	}
	return lines
}

// scene writes down what came of something, and what was heard of it.
func (s *stage) scene(title string, came ...any) {
	fmt.Fprintln(&s.golden, strings.TrimSpace("# "+title))
	for _, one := range came {
		fmt.Fprintf(&s.golden, "= %s\n", plain(one))
	}
	for _, line := range s.take() {
		fmt.Fprintf(&s.golden, "%s\n", line)
	}
}

// logged is what was written into the log since, without its times.
func (s *stage) logged() string {
	defer s.log.Reset()
	return strings.TrimSpace(regexp.MustCompile(`time=\S+ `).ReplaceAllString(s.log.String(), ""))
}

// hold holds all scenes.
func (s *stage) hold(name string) { hold(s.t, name, s.golden.String()) }

func hold(t *testing.T, name, text string) {
	t.Helper()
	goldentest.Hold(t, filepath.Join("parts", name+".golden"), text, os.Getenv("UPDATE_GOLDEN") != "")
}

// tell mails something to the actor that is tried, which may end of it, and waits until it and
// all others read it.
func (s *stage) tell(message any, from string) {
	s.t.Helper()
	read := make(chan struct{})
	s.system.Root.RequestWithCustomSender(s.self, message, s.at(from))
	s.system.Root.Send(s.self, func(actor.Context) { close(read) })
	select {
	case <-read:
	case <-s.gone:
	case <-time.After(2 * time.Minute):
		s.t.Fatal("waited in vain for it to read its mail")
	}
	s.read()
}

func sorted[T any](of map[string]T) []string { return slices.Sorted(maps.Keys(of)) }
