package mcpservers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/settings"
	"marvin/tools/mcp"
)

// Messages to a server from its own tasks.
type (
	serverBegan struct {
		session *mcp.Session
		err     error
	}
	serverEnded struct {
		session *mcp.Session
		err     error
	}
	serverLooked struct {
		session  *mcp.Session
		manifest mcp.Manifest
		err      error
	}
	// serverAgain arrives when the pause after a failure is over.
	serverAgain  struct{}
	toolsChanged struct{}
	lookAgain    struct{}
	serverIdle   struct{}
)

// The pause before a restart doubles after each broken connection, up to longestPause. A successful
// read of the server's tools resets the pause.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 4 * time.Second
	mostStarts   = 5                      // after so many recent starts, a failure blocks a restart
	startsWithin = 30 * time.Second       // how long a start counts toward mostStarts
	rest         = time.Minute            // how long a server stays stopped after too many failures
	settling     = 300 * time.Millisecond // time between a change of the tools and the next read
)

// server is the actor that owns the connection to one MCP server. It starts the MCP server on first
// use and again after a failure.
type server struct {
	deps  Deps
	name  string
	entry settings.Server

	session  *mcp.Session
	starting bool
	cancel   context.CancelFunc // cancels the start
	waiting  []wantSession
	starts   []time.Time
	pause    time.Duration // how long to wait before the next start
	paused   bool
	rests    time.Time // the earliest time of the next start
	err      error     // the last failure
	log      string    // what the server printed during the previous connection
	manifest mcp.Manifest
	changing bool
	looked   bool // the manifest comes from the current session
}

func (s *server) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case wantSession:
		s.leaseSession(c, message)
	case serverBegan:
		s.finishStart(c, message)
	case serverLooked:
		s.lookedAt(c, message)
	case serverEnded:
		s.restartLater(c, message)
	case lostSession:
		if message.session == s.session {
			s.restartLater(c, serverEnded{session: message.session, err: fmt.Errorf("the server %s is gone: %w", s.name, mcp.ErrLost)})
		}
	case serverAgain:
		s.paused = false
		s.start(c)
	case toolsChanged:
		s.toolsChanged(c)
	case lookAgain:
		s.changing = false
		s.look(c)
	case tellServer:
		message.reply <- s.state()
	case restartServer:
		s.restart(c)
	case reshelve:
		s.manifest = message.manifest
		s.shelve(c)
	case *actor.Stopping:
		s.stop()
	}
}

// leaseSession starts the server if necessary and sends the connection to the caller. During the
// pause before a restart, callers wait. While the server is stopped after too many failures,
// callers get an error.
func (s *server) leaseSession(c actor.Context, wish wantSession) {
	switch {
	case s.session != nil && (s.looked || !wish.looks):
		wish.reply <- leased{session: s.session}
		return
	case s.deps.Now().Before(s.rests):
		wish.reply <- leased{err: fmt.Errorf("the server %s failed %d times within %s and is paused until %s: %w", s.name, mostStarts, startsWithin, s.rests.Format("15:04:05"), s.err)}
		return
	}
	s.waiting = append(s.waiting, wish)
	s.start(c)
}

// start creates a task that starts the server. It does nothing if the server is running, starting
// or paused.
func (s *server) start(c actor.Context) {
	if s.starting || s.paused || s.session != nil {
		return
	}
	now := s.deps.Now()
	s.starts = append(lists.Filter(s.starts, func(at time.Time) bool { return now.Sub(at) < startsWithin }), now)
	s.starting = true
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	self, root := c.Self(), c.ActorSystem().Root
	name, entry := s.name, s.entry
	ground := mcp.Ground{
		Version: s.deps.Version, Environ: s.deps.Environ, Dir: s.deps.Dir, Own: settings.ServersOf(s.deps.Home).Dir(name), Home: s.deps.Home,
		Sandbox: s.deps.Sandbox, Now: s.deps.Now, Changed: func() { root.Send(self, toolsChanged{}) },
	}
	table := c.Parent()
	learned := func(words string) { root.Send(table, messages.Notice{Level: messages.Info, Text: words}) }
	task.Do(c, func() any {
		session, err := mcp.Begin(ctx, name, entry, ground, learned)
		if err == nil && ctx.Err() != nil { // the actor has stopped
			session.Close()
			err = context.Cause(ctx)
		}
		return serverBegan{session: session, err: err}
	}, func(panicked *task.Panicked) any { return serverBegan{err: panicked} })
}

func (s *server) finishStart(c actor.Context, message serverBegan) {
	s.starting = false
	s.cancel()
	if message.err != nil {
		s.reportFailure(message.err)
		return
	}
	s.session, s.err, s.looked = message.session, nil, false
	session := s.session
	task.Do(c, func() any { return serverEnded{session: session, err: session.Wait()} }, func(panicked *task.Panicked) any {
		return serverEnded{session: session, err: panicked}
	})
	s.give(func(wish wantSession) bool { return !wish.looks }, leased{session: session})
	s.look(c)
}

// reportFailure sends the error to all waiting callers. After too many recent starts, it also
// prevents new starts for a minute.
func (s *server) reportFailure(err error) {
	s.err = err
	if len(s.starts) >= mostStarts {
		s.rests, s.starts = s.deps.Now().Add(rest), nil
	}
	s.give(func(wantSession) bool { return true }, leased{err: err})
}

// give delivers the answer to every waiting caller for which match returns true.
func (s *server) give(match func(wantSession) bool, answer leased) {
	left := s.waiting[:0]
	for _, wish := range s.waiting {
		if match(wish) {
			wish.reply <- answer
		} else {
			left = append(left, wish)
		}
	}
	s.waiting = left
}

// restartLater reports a broken connection and restarts the server after a pause. After too many
// failures, restartLater does not restart the server.
func (s *server) restartLater(c actor.Context, message serverEnded) {
	session := message.session
	if session != s.session || session == nil {
		return // the session was closed on purpose
	}
	s.session, s.looked, s.log = nil, false, session.Log()
	s.reportFailure(message.err)
	task.Do(c, func() any { session.Close(); return serverIdle{} }, func(*task.Panicked) any { return serverIdle{} })
	text := message.err.Error()
	if s.deps.Now().Before(s.rests) {
		text += fmt.Sprintf("; it failed %d times within %s and is paused for %s (/mcp restart %s)", mostStarts, startsWithin, rest, s.name)
	} else {
		s.pause = min(max(2*s.pause, firstPause), longestPause)
		s.paused = true
		task.After(c, s.pause, serverAgain{})
		text += "; Marvin starts it again"
	}
	c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: text})
}

// look starts a task that reads the server's tools. The result goes to lookedAt.
func (s *server) look(c actor.Context) {
	session, home := s.session, s.deps.Home
	if session == nil {
		return
	}
	task.Do(c, func() any {
		ctx, stop := context.WithTimeout(context.Background(), mcp.Patience)
		defer stop()
		manifest, err := mcp.RecordManifest(ctx, home, session, false)
		return serverLooked{session: session, manifest: manifest, err: err}
	}, func(panicked *task.Panicked) any { return serverLooked{session: session, err: panicked} })
}

func (s *server) lookedAt(c actor.Context, message serverLooked) {
	if message.session != s.session {
		return
	}
	if message.err != nil {
		s.err = message.err
		s.give(func(wantSession) bool { return true }, leased{err: message.err})
		return
	}
	s.manifest, s.looked, s.pause = message.manifest, true, 0
	s.shelve(c)
	if changed := s.manifest.Unapproved(); len(changed) > 0 {
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("The MCP server %s has new tools, or describes tools differently than when you approved them: %s. Marvin does not use them until you approve them:  /mcp tools %[1]s, /mcp approve %[1]s", s.name, strings.Join(changed[:min(len(changed), 5)], ", "))})
	}
	s.give(func(wantSession) bool { return true }, leased{session: s.session})
}

func (s *server) client(c actor.Context) Client {
	return Client{root: c.ActorSystem().Root, table: c.Parent(), deps: s.deps}
}

// toolsChanged schedules one read of the tools for all changes within a short time. Some servers
// report a thousand changes per second.
func (s *server) toolsChanged(c actor.Context) {
	if !s.changing {
		s.changing = true
		task.After(c, settling, lookAgain{})
	}
}
