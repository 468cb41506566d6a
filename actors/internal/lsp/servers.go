package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/kernel"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/language"
)

// This file manages the language servers for conversations. Each server has its own actor
// (server.go), which is created for the first call that uses the server.

const LanguagesName = "languages"

// Requests to language servers.
type (
	// wantLanguage requests a session with a language server, which is started if necessary. If
	// problems is true and the server is still checking earlier files, the reply contains
	// [errBehind].
	wantLanguage struct {
		wish     language.Wish
		on       language.Ground
		problems bool
		reply    chan<- leasedLanguage
	}
	leasedLanguage struct {
		session *language.Session
		err     error
	}
	// lateCheck requests a background check of files that a call could not check in time. The
	// conversation receives the findings.
	lateCheck struct {
		wish  language.Wish
		on    language.Ground
		files []string
		to    *actor.PID
	}
	// A tellLanguages message requests the states of all servers. A restartNamed message ends all
	// servers of the given name.
	tellLanguages struct{ reply chan<- []State }
	tellLanguage  struct{ reply chan<- State }
	restartNamed  struct{ name string }
	// A DoubtFiles message makes the servers check the disk, because any file may have changed.
	DoubtFiles struct{}
	// languageRuns reports that a server has started or ended.
	languageRuns struct {
		from *actor.PID
		name string
		runs bool
	}
	// Running contains the sorted names of all running language servers.
	Running struct{ Names []string }
)

// Deps are the dependencies of language servers.
type Deps struct {
	Idle time.Duration // the time after which an unused server ends
	Late time.Duration // the time limit of a late check
	Log  *slog.Logger
	Now  func() time.Time
}

// New returns the actor that owns all language servers.
func New(deps Deps) actor.Actor { return &languages{deps: deps} }

// languages owns the actors of all language servers.
type languages struct {
	deps     Deps
	children map[string]*actor.PID
	running  map[string]string // names of servers, by the id of the server's actor
}

func (l *languages) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		l.children, l.running = map[string]*actor.PID{}, map[string]string{}
	case wantLanguage:
		c.Send(l.child(c, message.wish, message.on), message)
	case lateCheck:
		c.Send(l.child(c, message.wish, message.on), message)
	case tellLanguages:
		l.tell(c, message)
	case restartNamed, DoubtFiles:
		for _, pid := range l.children {
			c.Send(pid, message)
		}
	case languageRuns:
		if delete(l.running, message.from.Id); message.runs {
			l.running[message.from.Id] = message.name
		}
		c.Send(c.Parent(), Running{Names: slices.Compact(slices.Sorted(maps.Values(l.running)))})
	case messages.Notice:
		c.Send(c.Parent(), message)
	}
}

func (l *languages) child(c actor.Context, wish language.Wish, on language.Ground) *actor.PID {
	pid := l.children[wish.Key()]
	if pid == nil {
		var err error
		name := fmt.Sprintf("language-%d", len(l.children)+1)
		pid, err = c.SpawnNamed(kernel.Props(l.deps.Log, func() actor.Actor { return &languageServer{deps: l.deps, wish: wish, on: on} }), name)
		if err != nil {
			panic(err)
		}
		l.children[wish.Key()] = pid
	}
	return pid
}

// tell gives the caller a channel for the servers' states. The function [States] reads the states.
func (l *languages) tell(c actor.Context, message tellLanguages) {
	answers := make(chan State, len(l.children))
	for _, pid := range l.children {
		c.Send(pid, tellLanguage{reply: answers})
	}
	message.reply <- []State{{gather: answers, of: len(l.children)}}
}

// State describes a language server.
type State struct {
	Name, Root, State, Err, Log string
	PID                         int

	gather <-chan State
	of     int
}

// States returns the state of each language server.
func States(ctx context.Context, root *actor.RootContext, table *actor.PID) (all []State) {
	reply := make(chan []State, 1)
	root.Send(table, tellLanguages{reply: reply})
	select {
	case first := <-reply:
		for range first[0].of {
			select {
			case one := <-first[0].gather:
				all = append(all, one)
			case <-ctx.Done():
				return all
			}
		}
	case <-ctx.Done():
	}
	slices.SortFunc(all, func(a, b State) int { return strings.Compare(a.Name+a.Root, b.Name+b.Root) })
	return all
}

// Restart ends all language servers that have the given name. A server starts again on its next
// use.
func Restart(root *actor.RootContext, table *actor.PID, name string) {
	root.Send(table, restartNamed{name: name})
}

// Client lets a call's goroutine use the language servers. It implements [tools.Languages]. Its
// methods wait, so actors must not call them.
type Client struct {
	root    *actor.RootContext
	table   *actor.PID
	session *actor.PID
	set     *language.Set
	on      language.Ground
	limit   time.Duration // the time limit for formatting and checking the written files

	mu    sync.Mutex
	wrote []tools.FileChange
	// refused contains the error of each server that did not start for formatting. The keys come from
	// [language.Wish.Key]. Only the call's goroutine uses this map.
	refused map[string]error
}

// ReportChanges implements [tools.Languages].
func (d *Client) ReportChanges(changes []tools.FileChange) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wrote = append(d.wrote, changes...)
}

// Server implements [tools.Languages].
func (d *Client) Server(ctx context.Context, path string, say func(string)) (*tools.LanguageServer, error) {
	wishes, missing := d.set.ServersFor(path, d.on)
	wishes = slices.DeleteFunc(wishes, func(one language.Wish) bool { return one.Server.Lint })
	if len(wishes) == 0 {
		if len(missing) == 0 {
			return nil, fmt.Errorf("%w for files like %s", tools.ErrNoLanguage, tools.Visible(path))
		}
		return nil, tools.Advise(fmt.Errorf("%w for %s, because none is installed", tools.ErrNoLanguage, tools.Visible(path)), "The user could install %s. Use code_grep and read_file until then.", missing[0])
	}
	return d.lease(ctx, wantLanguage{wish: wishes[0]}, say)
}

func (d *Client) lease(ctx context.Context, want wantLanguage, say func(string)) (*language.Session, error) {
	reply := make(chan leasedLanguage, 1)
	want.on, want.reply = d.on, reply
	d.root.Send(d.table, want)
	slow := time.NewTimer(time.Second)
	defer slow.Stop()
	for {
		select {
		case answer := <-reply:
			return answer.session, answer.err
		case <-slow.C:
			if say != nil {
				say("the language server " + want.wish.Server.Name + " is starting")
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
