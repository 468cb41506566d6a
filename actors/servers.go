package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/mcp"
)

// MCP servers as conversations know them. Each is an actor (server.go), which is made when
// somebody wants it first; until then its tools are known from what it said the last time.

const serversName = "servers"

// What is asked of servers. Each goes to the one with the name.
type (
	// wantSession asks for a connection; with looks, once its tools are on the shelf.
	wantSession struct {
		name  string
		looks bool
		reply chan<- leased
	}
	leased struct {
		session *mcp.Session
		err     error
	}
	// lostSession says that a connection does not answer.
	lostSession struct {
		name    string
		session *mcp.Session
	}
	// tellServer asks how a server is.
	tellServer struct {
		name  string
		reply chan<- ServerState
	}
	// restartServer ends a server; it is started again when it is wanted.
	restartServer struct{ name string }
	// reshelve has the tools of a server put on the shelf as a person approved them.
	reshelve struct {
		name     string
		manifest mcp.Manifest
	}
)

// servers owns the actors of all servers.
type servers struct {
	config   *Config
	children map[string]*actor.PID
}

func (s *servers) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		s.children = map[string]*actor.PID{}
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
	case messages.Notice:
		c.Send(c.Parent(), message)
	}
}

func (s *servers) pass(c actor.Context, name string, message any) {
	pid := s.children[name]
	if pid == nil {
		var err error
		pid, err = c.SpawnNamed(props(s.config.Log, func() actor.Actor { return &server{config: s.config, name: name, entry: s.config.Servers[name]} }), "server-"+name)
		if err != nil {
			panic(err)
		}
		s.children[name] = pid
	}
	c.Send(pid, message)
}

// stock says what the shelf is filled with: what servers said they have.
func (s *System) stock() {
	if len(s.config.Servers) == 0 {
		return
	}
	jobsClient := s.serverClient()
	var unknown []string
	s.config.Tools.Fill(func() {
		for _, name := range slices.Sorted(maps.Keys(s.config.Servers)) {
			entry := s.config.Servers[name]
			if entry.Off {
				continue
			}
			manifest, known, err := mcp.Known(s.config.Home, name, entry)
			if err != nil {
				s.actors.Root.Send(s.root, messages.Notice{Level: messages.Warning, Text: err.Error()})
			}
			if !known {
				unknown = append(unknown, name)
				continue
			}
			jobsClient.shelve(name, manifest)
		}
	}, func(ctx context.Context, say func(string)) { jobsClient.discover(ctx, unknown, say) })
}

// serverClient is what the goroutine of a call has to do with servers. It implements
// [mcp.Sessions]; its methods wait, so no actor may call them.
type serverClient struct {
	root   *actor.RootContext
	table  *actor.PID
	config *Config
}

// shelve puts the tools of a server on the shelf, and tells of those that cannot be.
func (d serverClient) shelve(name string, manifest mcp.Manifest) {
	source, problems := mcp.Shelved(name, d.config.Servers[name], manifest, d)
	problems = append(problems, d.config.Tools.Add(source)...)
	for _, problem := range append(problems, manifest.Left...) {
		d.root.Send(d.table, messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// Session implements [mcp.Sessions].
func (d serverClient) Session(ctx context.Context, name string, say func(string)) (*mcp.Session, error) {
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

// Lost implements [mcp.Sessions].
func (d serverClient) Lost(name string, session *mcp.Session) {
	d.root.Send(d.table, lostSession{name: name, session: session})
}

// Approve implements [mcp.Sessions].
func (d serverClient) Approve(name string, tool mcp.Tool) error {
	if err := mcp.Approve(d.config.Home, name, tool); err != nil {
		return err
	}
	d.reshelve(name)
	return nil
}

// Widen implements [mcp.Sessions].
func (d serverClient) Widen(name string, wish mcp.Profile, session *mcp.Session) error {
	restart, err := mcp.Widened(d.config.Home, name, wish, session)
	if restart {
		d.root.Send(d.table, restartServer{name: name})
	}
	return err
}

// reshelve has a server take up what a person approved, which is on the disk.
func (d serverClient) reshelve(name string) {
	if manifest, known, err := mcp.Known(d.config.Home, name, d.config.Servers[name]); err == nil && known {
		d.root.Send(d.table, reshelve{name: name, manifest: manifest})
	}
}

// seeking is how long a search waits for servers of which nothing is known yet.
const seeking = 10 * time.Second

// discover starts servers of which nothing is known, and waits for what they have.
func (d serverClient) discover(ctx context.Context, names []string, say func(string)) {
	var wanted []string
	there := d.config.Tools.Now().Sources()
	for _, name := range names {
		if !slices.Contains(there, mcp.SourceName(name)) {
			wanted = append(wanted, name)
		}
	}
	if len(wanted) == 0 {
		return
	}
	if say != nil {
		say(fmt.Sprintf("looking what %d MCP servers have", len(wanted)))
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

// ServerState is how a server is, for people.
type ServerState struct {
	Name, State string
	Tools       int
	Unapproved  []string // tools that describe themselves otherwise than they were approved
	Err         string   // why it does not run
	Log         string   // what it said, its beginning and its end
}

// Servers tells of all servers, or of the one that is named.
func (s *System) Servers(ctx context.Context, only string) []ServerState {
	var all []ServerState
	table := s.serverClient().table
	for _, name := range slices.Sorted(maps.Keys(s.config.Servers)) {
		if only != "" && only != name {
			continue
		}
		if s.config.Servers[name].Off {
			all = append(all, ServerState{Name: name, State: "off"})
			continue
		}
		reply := make(chan ServerState, 1)
		s.actors.Root.Send(table, tellServer{name: name, reply: reply})
		select {
		case state := <-reply:
			if state.Tools == 0 { // it did not run yet: what it had the last time
				if manifest, known, err := mcp.Known(s.config.Home, name, s.config.Servers[name]); err == nil && known {
					state.Tools, state.Unapproved = len(manifest.Tools), manifest.Unapproved()
				}
			}
			all = append(all, state)
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// RestartServer ends a server, which starts again at once; what was failing may be tried
// again. It returns how that went.
func (s *System) RestartServer(ctx context.Context, name string) error {
	if entry, ok := s.config.Servers[name]; !ok || entry.Off {
		return fmt.Errorf("there is no server called %s that is used", tools.Visible(name))
	}
	table := s.serverClient().table
	s.actors.Root.Send(table, restartServer{name: name})
	reply := make(chan leased, 1)
	s.actors.Root.Send(table, wantSession{name: name, looks: true, reply: reply})
	select {
	case answer := <-reply:
		return answer.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reshelve takes up what was approved of a server outside of a call.
func (s *System) Reshelve(name string) {
	if len(s.config.Servers) > 0 {
		s.serverClient().reshelve(name)
	}
}

func (s *System) serverClient() serverClient {
	return serverClient{root: s.actors.Root, table: actor.NewPID(s.root.Address, s.root.Id+"/"+serversName), config: s.config}
}

// Session is the connection to a server, for a person at a front end.
func (s *System) Session(ctx context.Context, name string) (*mcp.Session, error) {
	if entry, ok := s.config.Servers[name]; !ok || entry.Off {
		return nil, fmt.Errorf("there is no server called %s that is used", tools.Visible(name))
	}
	return s.serverClient().Session(ctx, name, nil)
}
