package mcpservers

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// Each MCP server is an actor (server.go) that is created on first use. Until then, the shelf
// contains the tools from the server's last run.

const ServersName = "servers"

// Messages to the actor that owns all servers. That actor forwards most messages to the named
// server.
type (
	wantSession struct {
		name  string
		looks bool // if true, the reply waits for the server's tools
		reply chan<- leased
	}
	leased struct {
		session *mcp.Session
		err     error
	}
	// lostSession reports a dead connection.
	lostSession struct {
		name    string
		session *mcp.Session
	}
	// tellServer requests the state of the named server.
	tellServer struct {
		name  string
		reply chan<- State
	}
	// restartServer stops a server. The next use of the server starts it again.
	restartServer struct{ name string }
	// leaveServers stops servers whose configuration was changed or removed.
	leaveServers struct{ names []string }
	// brokenTool reports a problem with a server's tool or prompt. The user sees each problem once.
	brokenTool struct{ problem string }
	// reshelve contains the server's manifest after an approval.
	reshelve struct {
		name     string
		manifest mcp.Manifest
	}
)

// Deps are the dependencies of MCP servers.
type Deps struct {
	Version string // Marvin's version
	Environ []string
	Dir     string // the default coding directory
	Home    *persistence.Home
	Sandbox *tools.Sandbox
	Tools   *toolbox.Shelf                   // the shelf for the servers' tools
	Others  *conv.ProjectParts               // the configured servers
	Reread  func() (conv.FileContents, bool) // reads the configuration again; may be nil
	Log     *slog.Logger
	Now     func() time.Time
}

// New returns the actor that owns all MCP servers.
func New(deps Deps) actor.Actor { return &servers{deps: deps} }

// servers is the parent actor of all server actors.
type servers struct {
	deps     Deps
	children map[string]*actor.PID
	made     int
	told     map[string]bool // problems that were already reported
}

func (s *servers) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		s.children, s.told = map[string]*actor.PID{}, map[string]bool{}
	case wantSession:
		s.pass(c, message.name, message)
	case lostSession:
		s.pass(c, message.name, message)
	case tellServer:
		s.pass(c, message.name, message)
	case restartServer:
		s.pass(c, message.name, message)
	case reshelve:
		s.pass(c, message.name, message)
	case leaveServers:
		s.leave(c, message.names)
	case brokenTool:
		if !s.told[message.problem] {
			s.told[message.problem] = true
			c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: message.problem})
		}
	case messages.Notice:
		c.Send(c.Parent(), message)
	}
}

func (s *servers) pass(c actor.Context, name string, message any) {
	pid := s.children[name]
	if pid == nil {
		var err error
		entry := s.deps.Others.Servers()[name]
		s.made++ // an actor keeps its name until it has stopped
		pid, err = c.SpawnNamed(kernel.Props(s.deps.Log, func() actor.Actor { return &server{deps: s.deps, name: name, entry: entry} }), fmt.Sprintf("server-%s-%d", name, s.made))
		if err != nil {
			panic(err)
		}
		s.children[name] = pid
	}
	c.Send(pid, message)
}

// leave shuts down the actors of the named servers. The next use of a server creates an actor with
// the current entry.
func (s *servers) leave(c actor.Context, names []string) {
	for _, name := range names {
		if pid := s.children[name]; pid != nil {
			c.Stop(pid)
			delete(s.children, name)
		}
	}
}

// Client gives access to the servers and implements [mcp.Sessions]. Actors must not call the
// methods that block.
type Client struct {
	root  *actor.RootContext
	table *actor.PID
	deps  Deps
}

// NewClient returns a client for the [ServersName] child of the given actor.
func NewClient(root *actor.RootContext, top *actor.PID, deps Deps) Client {
	return Client{root: root, table: actor.NewPID(top.Address, top.Id+"/"+ServersName), deps: deps}
}

// Session implements [mcp.Sessions].
func (d Client) Session(ctx context.Context, name string, say func(string)) (*mcp.Session, error) {
	reply := make(chan leased, 1)
	d.root.Send(d.table, wantSession{name: name, reply: reply})
	slow := time.NewTimer(time.Second)
	defer slow.Stop()
	for {
		select {
		case answer := <-reply:
			return answer.session, answer.err
		case <-slow.C:
			if say != nil {
				say("the MCP server " + name + " is starting")
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// ReportLost implements [mcp.Sessions].
func (d Client) ReportLost(name string, session *mcp.Session) {
	d.root.Send(d.table, lostSession{name: name, session: session})
}

// Approve implements [mcp.Sessions].
func (d Client) Approve(name string, tool mcp.Tool) error {
	if err := mcp.Approve(d.deps.Home, name, tool); err != nil {
		return err
	}
	d.reshelve(name)
	return nil
}

// Widen implements [mcp.Sessions].
func (d Client) Widen(name string, wish mcp.Profile, session *mcp.Session) error {
	restart, err := mcp.Widen(d.deps.Home, name, wish, session)
	if restart {
		d.root.Send(d.table, restartServer{name: name})
	}
	return err
}

// reshelve sends the stored approvals to a server.
func (d Client) reshelve(name string) {
	if manifest, known, err := mcp.ReadManifest(d.deps.Home, name, d.deps.Others.Servers()[name]); err == nil && known {
		d.root.Send(d.table, reshelve{name: name, manifest: manifest})
	}
}

// seeking is the time limit for [Client.discover].
const seeking = 10 * time.Second

// discover connects to the servers whose tools are missing from the shelf, and waits for the
// missing tools.
func (d Client) discover(ctx context.Context, say func(string)) {
	var wanted []string
	there := d.deps.Tools.Snapshot().Sources()
	for name, entry := range d.deps.Others.Servers() {
		if !entry.Off && !slices.Contains(there, mcp.SourceName(name)) {
			wanted = append(wanted, name)
		}
	}
	if len(wanted) == 0 {
		return
	}
	if say != nil {
		say(fmt.Sprintf("asking %d MCP servers for their tools", len(wanted)))
	}
	reply := make(chan leased, len(wanted))
	for _, name := range wanted {
		d.root.Send(d.table, wantSession{name: name, looks: true, reply: reply})
	}
	limit := time.NewTimer(seeking)
	defer limit.Stop()
	for range wanted {
		select {
		case <-reply:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
