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

// Host opens and lists sessions. The methods can block, so the agent calls them in the background.
type Host interface {
	// Open starts a new session or opens a stored one.
	Open(context.Context, OpenRequest) (Conversation, error)
	// List returns a page of the sessions stored for a directory, or of all stored sessions if dir
	// is "". If cursor is "", List returns the first page. It also returns the cursor of the next
	// page.
	List(dir, cursor string) (page []StoredSession, next string, err error)
}

// OpenRequest describes the session to open.
type OpenRequest struct {
	Session string // the session ID, or "" for a new session
	Copy    bool   // whether to open a copy of the session
	Dir     string // the working directory, absolute
	More    []string
	Servers []Server
	// AllowBuiltIn allows a session with the built-in assistant if no model is available.
	AllowBuiltIn bool
}

// Server is an MCP server that the client adds to a session. Either Command or URL is set.
type Server struct {
	Name    string
	Command []string
	Env     map[string]string
	URL     string
	Headers map[string]string
}

// StoredSession is an entry in a list of sessions.
type StoredSession struct {
	ID, Dir, Title string
	Updated        time.Time
}

// Conversation is an open session.
type Conversation struct {
	ID     string
	Client ui.Client
	Engine func(command.Front) *command.Engine
	// Picture validates a picture and scales it down if necessary.
	Picture func(messages.Picture) (messages.Picture, error)
	// Titles receives each new title of the session.
	Titles <-chan string
	// Close frees the resources of the session. The agent calls Close once, after the session has
	// ended.
	Close func() error
}

// Agent serves one client.
type Agent struct {
	Host   Host
	In     io.Reader
	Out    io.Writer
	Marvin string // the version of the program
	// Patience is the time in which the user can answer a question about a call; 0 means 10
	// minutes.
	Patience time.Duration
	// Grace limits the time that Run waits for the sessions to end; 0 means 5 seconds.
	Grace time.Duration

	out      *jsonl.Writer
	broken   error // the first write error
	client   clientCapabilities
	ready    bool // the client sent initialize
	alone    bool // the user chose to work without a model
	sessions map[string]*session
	pending  int // number of Host calls in progress
	closing  int // number of Conversation.Close calls in progress
	leaving  bool
	asked    map[int64]*question
	lastID   int64

	work  beside.Runner
	heard chan eventBatch
	done  chan func()   // functions that runOutside passes to the loop
	ended chan struct{} // closed at the end of the loop
	stop  context.CancelFunc
	ctx   context.Context
}

// eventBatch contains events of one session.
type eventBatch struct {
	from  *session
	batch []messages.Envelope
	ended bool
}

// Run serves the client until the input ends or ctx is done. It ends all sessions before it
// returns.
func (a *Agent) Run(ctx context.Context) error {
	a.out, a.work = jsonl.NewWriter(a.Out), beside.New()
	a.heard, a.done, a.ended = make(chan eventBatch), make(chan func()), make(chan struct{})
	a.sessions, a.asked = map[string]*session{}, map[int64]*question{}
	a.ctx, a.stop = context.WithCancel(context.Background())
	defer a.stop()
	lines, noMore := a.work.Lines(a.In, a.ended)
	over := make(chan struct{})
	result := make(chan error, 1)
	a.work.Start(func() { // in the background, because a write to a full pipe may block forever
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

// leave asks all sessions to end.
func (a *Agent) leave() {
	a.leaving = true
	for _, session := range a.sessions {
		session.quit()
	}
}

// runOutside runs a task in the background. If the task returns a function, the loop calls that
// function.
func (a *Agent) runOutside(work func() (then func())) {
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

// runLater runs the task on the loop after the given time. Closing the channel cancels the task.
func (a *Agent) runLater(wait time.Duration, canceled <-chan struct{}, task func()) {
	a.runOutside(func() func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return task
		case <-canceled:
		case <-a.ended:
		}
		return nil
	})
}

// hear applies a batch of events to their session and tells the client about them.
func (a *Agent) hear(news eventBatch) {
	session := news.from
	for _, envelope := range news.batch {
		session.talk.Apply(envelope)
		session.engine.Hear(envelope)
		session.tell(envelope)
	}
	session.settle()
	if news.ended {
		session.cleanUp()
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

// call sends a request to the client and returns the request's ID.
func (a *Agent) call(method string, params any) int64 {
	a.lastID++
	id := a.lastID
	a.write(acp.Call{Version: acp.RPCVersion, ID: &id, Method: method, Params: params})
	return id
}
