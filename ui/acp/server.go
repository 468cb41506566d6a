package acp

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/messages/jsonlines"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
)

// Host is the program around the sessions. Its methods may wait for the disk and for other
// processes: the server calls them beside its loop.
type Host interface {
	// Open begins a new session, or opens a kept one.
	Open(context.Context, Opening) (Conversation, error)
	// List returns a page of the kept sessions of a directory, "" for all. A page begins
	// after a cursor, "" for the first one; next is the cursor of the next page.
	List(dir, cursor string) (page []StoredSession, next string, err error)
}

// Opening says which session is opened, and where.
type Opening struct {
	Session string // "" for a new one
	Copy    bool   // open a copy of Session
	Dir     string // the working directory, absolute
	More    []string
	Servers []Server
	// Alone says that the built-in assistant will do where no model can be asked.
	Alone bool
}

// Server is an MCP server that the client gives a session: a program or an address.
type Server struct {
	Name    string
	Command []string
	Env     map[string]string
	URL     string
	Headers map[string]string
}

// StoredSession is a session as a list shows it.
type StoredSession struct {
	ID, Dir, Title string
	Updated        time.Time
}

// Conversation is an open session.
type Conversation struct {
	ID     string
	Client ui.Client
	Engine func(command.Front) *command.Engine
	// Picture looks at a picture that came with a prompt, and makes it small enough.
	Picture func(messages.Picture) (messages.Picture, error)
	// Titles tells of each title that the session gets later.
	Titles <-chan string
	// Close ends what the session leaves behind. It is called once, after the session closed.
	Close func() error
}

// Agent serves one client.
type Agent struct {
	Host   Host
	In     io.Reader
	Out    io.Writer
	Marvin string // the version of the program
	// Patience is how long a question about a call waits for the user; 0 for 10 minutes.
	Patience time.Duration
	// Grace is how long the sessions may take to end; 0 for 5 seconds.
	Grace time.Duration

	out      *jsonl.Writer
	broken   error // why nothing can be written any more
	client   clientCapabilities
	ready    bool // the client said who it is
	alone    bool // the user chose to work without a model
	sessions map[string]*session
	pending  int // requests that are carried out beside the loop
	closing  int // sessions that are being closed
	leaving  bool
	asked    map[int64]*question
	lastID   int64

	work  beside.Work
	heard chan heard
	done  chan func()   // what work beside the loop leaves to do on it
	ended chan struct{} // closed at the end of the loop
	stop  context.CancelFunc
	ctx   context.Context
}

// heard is what one session told.
type heard struct {
	from  *session
	batch []messages.Envelope
	ended bool
}

// Run serves until the client closes its end or ctx ends. It ends all sessions first.
func (a *Agent) Run(ctx context.Context) error {
	a.out, a.work = jsonl.NewWriter(a.Out), beside.New()
	a.heard, a.done, a.ended = make(chan heard), make(chan func()), make(chan struct{})
	a.sessions, a.asked = map[string]*session{}, map[int64]*question{}
	a.ctx, a.stop = context.WithCancel(context.Background())
	defer a.stop()
	lines, noMore := a.work.Lines(a.In, a.ended)
	over := make(chan struct{})
	result := make(chan error, 1)
	a.work.Start(func() { // beside, because a write to a full pipe may never return
		result <- a.loop(lines, over)
	}, func() { close(a.ended) })
	return a.work.Await(ctx, result, noMore, func() { close(over) }, cmp.Or(a.Grace, 5*time.Second))
}

// loop owns the sessions and the output.
func (a *Agent) loop(lines <-chan jsonlines.Line, over <-chan struct{}) error {
	for a.broken == nil && !(a.leaving && len(a.sessions) == 0 && a.pending == 0 && a.closing == 0) {
		select {
		case line, more := <-lines:
			if !more {
				lines = nil
				a.leave()
				continue
			}
			a.take(line)
		case <-over:
			over = nil
			a.leave()
		case news := <-a.heard:
			a.hear(news)
		case then := <-a.done:
			then()
		}
	}
	a.leave()
	return a.broken
}

// leave ends all sessions.
func (a *Agent) leave() {
	a.leaving = true
	for _, session := range a.sessions {
		session.quit()
	}
}

// beside does work beside the loop, and then what work returned on it.
func (a *Agent) beside(work func() (then func())) {
	a.work.Start(func() {
		then := work()
		if then == nil {
			return
		}
		select {
		case a.done <- then:
		case <-a.ended:
		}
	}, func() {})
}

// after does something on the loop when a time is over, unless it is not wanted any more.
func (a *Agent) after(wait time.Duration, unwanted <-chan struct{}, then func()) {
	a.beside(func() func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return then
		case <-unwanted:
		case <-a.ended:
		}
		return nil
	})
}

// hear takes what a session told.
func (a *Agent) hear(news heard) {
	session := news.from
	for _, envelope := range news.batch {
		session.talk.Apply(envelope)
		session.engine.Hear(envelope)
		session.tell(envelope)
	}
	session.settle()
	if news.ended {
		session.over()
	}
}

func (a *Agent) write(values ...any) {
	if a.broken == nil {
		a.broken = a.out.Write(values...)
	}
}

func (a *Agent) reply(id json.RawMessage, result any) {
	if len(id) > 0 {
		a.write(acp.Result{Version: acp.RPCVersion, ID: id, Result: result})
	}
}

func (a *Agent) fail(id json.RawMessage, why *acp.Fault) {
	if len(id) > 0 {
		a.write(acp.Failure{Version: acp.RPCVersion, ID: id, Error: why})
	}
}

func (a *Agent) notify(method string, params any) {
	a.write(acp.Call{Version: acp.RPCVersion, Method: method, Params: params})
}

// call asks the client something, and returns the ID of its answer.
func (a *Agent) call(method string, params any) int64 {
	a.lastID++
	id := a.lastID
	a.write(acp.Call{Version: acp.RPCVersion, ID: &id, Method: method, Params: params})
	return id
}
