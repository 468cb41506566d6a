package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools/language"
)

// Messages to a language server from its own tasks.
type (
	languageBegan struct {
		session *language.Session
		err     error
	}
	languageEnded struct {
		session *language.Session
		err     error
	}
	// languageIdle is sent when the idle timer fires; see endIdle.
	languageIdle   struct{ of *language.Session }
	languageClosed struct{}
	lateChecked    struct {
		to    *actor.PID
		text  string
		files []messages.FileProblems
	}
)

// A language server that has failed languageFailures times in a row is paused for languageRest.
const (
	languageFailures = 3
	languageRest     = time.Minute
)

// errBehind means that a server is still checking earlier files and will report its findings later.
// Without this error, each call that changes a file would use up its time limit while the server
// starts or loads a large project.
var errBehind = errors.New("the language server has fallen behind")

// languageServer is the actor of one language server for one root directory. It owns the server's
// process. It starts the server on first use, and again on the next use after a failure.
type languageServer struct {
	deps Deps
	wish language.Wish
	on   language.Ground

	session  *language.Session
	starting bool
	cancel   context.CancelFunc
	waiting  []wantLanguage
	late     []lateCheck // late checks that have not begun
	checks   bool        // a late check is running
	failures int         // the number of failures in a row
	rests    time.Time
	err      error
	log      string
	wanted   time.Time // the time of the last request
}

func (l *languageServer) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case wantLanguage:
		l.leaseSession(c, message)
	case lateCheck:
		l.late = append(l.late, message)
		l.checkLate(c)
	case lateChecked:
		l.checks = false
		if len(message.files) > 0 {
			c.Send(message.to, mail.Diagnosed{Files: message.files})
		}
		if message.text != "" {
			c.Send(message.to, mail.JobEnded{Late: message.text})
		}
		l.checkLate(c)
	case languageBegan:
		l.finishStart(c, message)
	case languageEnded:
		l.recordEnd(c, message)
	case languageIdle:
		l.endIdle(c, message)
	case DoubtFiles:
		if l.session != nil {
			l.session.CheckDisk()
		}
	case tellLanguage:
		message.reply <- l.state()
	case restartNamed:
		if message.name == l.wish.Server.Name {
			l.failures, l.rests, l.err = 0, time.Time{}, nil
			l.closeServer(c)
		}
	case *actor.Stopping:
		l.stop()
	}
}

// leaseSession gives the caller the running server, or adds the caller to the waiting list while
// the server starts.
func (l *languageServer) leaseSession(c actor.Context, wish wantLanguage) {
	l.wanted = l.deps.Now()
	if wish.problems && (l.checks || len(l.late) > 0) {
		wish.reply <- leasedLanguage{err: errBehind}
		return
	}
	if l.session != nil {
		wish.reply <- leasedLanguage{session: l.session}
		return
	}
	if l.deps.Now().Before(l.rests) {
		wish.reply <- leasedLanguage{err: fmt.Errorf("the language server %s failed %d times and is paused until %s (/lsp restart %s): %w", l.wish.Server.Name, languageFailures, l.rests.Format("15:04:05"), l.wish.Server.Name, l.err)}
		return
	}
	l.waiting = append(l.waiting, wish)
	l.start(c)
}

func (l *languageServer) start(c actor.Context) {
	if l.starting || l.session != nil {
		return
	}
	l.starting = true
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	wish, on := l.wish, l.on
	task.Do(c, func() any {
		session, err := language.Begin(ctx, wish, on)
		if err == nil && ctx.Err() != nil { // the actor stopped while the server was starting
			session.Close()
			err = context.Cause(ctx)
		}
		return languageBegan{session: session, err: err}
	}, func(panicked *task.Panicked) any { return languageBegan{err: panicked} })
}

func (l *languageServer) finishStart(c actor.Context, message languageBegan) {
	l.starting = false
	l.cancel()
	if message.err != nil {
		l.reportFailure(c, message.err)
		return
	}
	l.session, l.err = message.session, nil
	l.tellRuns(c, true)
	session := l.session
	task.Do(c, func() any { return languageEnded{session: session, err: session.Wait()} }, func(panicked *task.Panicked) any {
		return languageEnded{session: session, err: panicked}
	})
	task.After(c, l.deps.Idle, languageIdle{of: session})
	l.give(leasedLanguage{session: session})
	l.checkLate(c)
}

// reportFailure sends the error to all waiting callers. After languageFailures failures in a row,
// reportFailure pauses the server.
func (l *languageServer) reportFailure(c actor.Context, err error) {
	l.err, l.late = err, nil
	if l.failures++; l.failures >= languageFailures {
		l.failures, l.rests = 0, l.deps.Now().Add(languageRest)
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("%s; it failed %d times and is paused for %s (/lsp restart %s)", err, languageFailures, languageRest, l.wish.Server.Name)})
	}
	l.give(leasedLanguage{err: err})
}

func (l *languageServer) tellRuns(c actor.Context, runs bool) {
	c.Send(c.Parent(), languageRuns{from: c.Self(), name: l.wish.Server.Name, runs: runs})
}

func (l *languageServer) give(answer leasedLanguage) {
	for _, wish := range l.waiting {
		wish.reply <- answer
	}
	l.waiting = nil
}

func (l *languageServer) recordEnd(c actor.Context, message languageEnded) {
	if message.session != l.session || l.session == nil {
		return // the server was ended on purpose
	}
	l.session, l.log = nil, message.session.Log()
	l.tellRuns(c, false)
	l.reportFailure(c, message.err)
}

// endIdle ends the server after Deps.Idle without use. If the server has been used more recently,
// endIdle sets the timer for the remaining time.
func (l *languageServer) endIdle(c actor.Context, message languageIdle) {
	if l.session == nil || message.of != l.session {
		return // the timer belongs to an earlier session of the server
	}
	l.failures = 0 // the server has run without failure for a while
	left := l.deps.Idle - l.deps.Now().Sub(l.wanted)
	if left <= 0 {
		l.closeServer(c)
		return
	}
	task.After(c, left, message)
}

// closeServer starts a task that closes the session with the server. The next use starts the server
// again.
func (l *languageServer) closeServer(c actor.Context) {
	session := l.session
	if session == nil {
		return
	}
	l.session, l.log = nil, session.Log()
	l.tellRuns(c, false)
	task.Do(c, func() any { session.Close(); return languageClosed{} }, func(*task.Panicked) any { return languageClosed{} })
}

// stop shuts the server down and sends an error to the waiting callers.
func (l *languageServer) stop() {
	if l.cancel != nil {
		l.cancel()
	}
	l.give(leasedLanguage{err: fmt.Errorf("the language server %s has stopped, because Marvin is exiting", l.wish.Server.Name)})
	if l.session != nil {
		l.session.Close()
	}
}

// checkLate starts the oldest waiting check in the background, together with the other checks for
// the same conversation. Checks for other conversations wait until these checks end.
func (l *languageServer) checkLate(c actor.Context) {
	if l.session == nil && !l.starting {
		l.late = nil
	}
	if l.session == nil || l.checks || len(l.late) == 0 {
		return
	}
	to, files, others := l.late[0].to, []string(nil), []lateCheck(nil)
	for _, one := range l.late {
		if !one.to.Equal(to) {
			others = append(others, one)
			continue
		}
		files = append(files, one.files...)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	l.wanted, l.late, l.checks = l.deps.Now(), others, true
	session, limit := l.session, l.deps.Late
	task.Do(c, func() any {
		ctx, stop := context.WithTimeout(context.Background(), limit)
		defer stop()
		found, text := language.CheckLate(ctx, session, files)
		return lateChecked{to: to, text: text, files: found.Files}
	}, func(*task.Panicked) any { return lateChecked{} })
}

func (l *languageServer) state() State {
	state := State{Name: l.wish.Server.Name, Root: l.wish.Root, State: "not running", Log: l.log}
	switch {
	case l.session != nil:
		state.State, state.PID, state.Log = "running", l.session.PID(), l.session.Log()
	case l.starting:
		state.State = "starting"
	case l.deps.Now().Before(l.rests):
		state.State = "resting until " + l.rests.Format("15:04:05")
	case l.err != nil:
		state.State = "failed"
	}
	if l.err != nil {
		state.Err = l.err.Error()
	}
	return state
}
