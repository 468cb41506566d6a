package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/feed"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mcpservers"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/projects"
	"marvin/tools"
	"marvin/tools/background"
)

func init() {
	// The library keeps its processes in 1024 maps of SHARD_COUNT shards each. The default of 32
	// shards costs each actor system 66,000 objects, 2.7 ms and 2.8 MiB. One shard costs 0.2 ms and
	// is fast enough.
	cmap.SHARD_COUNT = 1
}

// System is a running tree of actors. A process has one, shared by all its conversations.
type System struct {
	// Servers gives front ends access to the MCP servers. Its methods block, so actors must not call
	// them.
	Servers mcpservers.Client

	actors *actor.ActorSystem
	root   *actor.PID
	config *conv.Setup
	left   []tools.Job
	ending sync.Once
	ended  error
}

// Start starts the tree of actors. The caller must end it with [System.Stop].
func Start(given conv.Config) *System {
	config := conv.NewSetup(given)
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler) // the library's default prints colored lines to stderr
	}))
	shared := call.NewPools(config.Files, config.Commands)
	root, err := system.Root.SpawnNamed(kernel.Props(config.Log, func() actor.Actor {
		return &marvin{config: config, pools: shared}
	}), "marvin")
	if err != nil {
		panic(fmt.Sprintf("actors: spawn the root of a fresh system: %v", err))
	}
	grown := &System{actors: system, root: root, config: config, Servers: mcpservers.NewClient(system.Root, root, serversOf(config))}
	grown.Servers.StockShelf()
	return grown
}

// Open begins a conversation and returns the [Client] for its front end.
func (s *System) Open(conversation conv.Conversation) (*Client, error) {
	client := &Client{system: s.actors}
	var events conv.Audience
	if conversation.SeveralWindows {
		client.hall = windows.New(s.config.Now)
		client.window = client.hall.Open(windows.WindowOptions{Name: "the first window", Role: messages.RoleDrive, First: true})
		client.reader, events = client.window, client.hall
	} else {
		one := feed.New()
		client.reader, events = one, one
	}
	conversation.Dir, conversation.Root = projects.RealDir(conversation.Dir), projects.RealDir(conversation.Root)
	future := s.actors.Root.RequestFuture(s.root, beginSession{conversation: conversation, feed: events}, s.config.Tuning.Shutdown)
	reply, err := future.Result()
	if err != nil {
		return nil, fmt.Errorf("open a conversation: %w", err)
	}
	client.entrance = reply.(*actor.PID)
	return client, nil
}

// ErrShutdown means that the tree did not shut down in time.
var ErrShutdown = errors.New("marvin did not end in time")

// Stop ends all conversations, flushes the recorder and stops the actors. It waits at most
// Tuning.Shutdown for the conversations and the recorder. Background jobs continue; see
// [System.RemainingJobs]. Later calls return the first result.
func (s *System) Stop() error {
	s.ending.Do(func() { s.ended = s.stop() })
	return s.ended
}

func (s *System) stop() error {
	reply, err := s.actors.Root.RequestFuture(s.root, shutdown{}, s.config.Tuning.Shutdown).Result()
	if err != nil {
		return fmt.Errorf("%w: not everything was stored within %v; the end of the conversation may be lost", ErrShutdown, s.config.Tuning.Shutdown)
	}
	s.left = reply.(treeEnded).left
	if err := s.actors.Root.StopFuture(s.root).Wait(); err != nil {
		return fmt.Errorf("%w: %w", ErrShutdown, err)
	}
	s.actors.Shutdown()
	return nil
}

// Client connects a front end to one conversation. One sender and one reader may use it at the same
// time.
type Client struct {
	system   *actor.ActorSystem
	entrance *actor.PID // the session's entrance
	reader   interface {
		Next(context.Context) ([]messages.Envelope, error)
	}
	hall   *windows.Hall   // nil for a conversation with one front end
	window *windows.Window // the first window of the conversation
}

// Send sends op to the session without waiting. It resolves the path of a [messages.SetDir] on the
// caller's goroutine, because resolving a path requires disk access. After the session has closed,
// Send does nothing.
func (c *Client) Send(op messages.Op) {
	if c.window != nil {
		op = c.window.PrepareOp(op)
	}
	c.pass(op)
}

func (c *Client) pass(op messages.Op) {
	if set, is := op.(messages.SetDir); is {
		set.Path = projects.RealDir(set.Path)
		op = set
	}
	if request, is := op.(messages.Request); is {
		if set, is := request.Op.(messages.SetDir); is {
			set.Path = projects.RealDir(set.Path)
			request.Op = set
			op = request
		}
	}
	c.system.Root.Send(c.entrance, op)
}

// Next waits for at least one event and returns all events since the last call. It returns io.EOF
// after [messages.Closed], and context.Cause(ctx) if ctx ends first.
func (c *Client) Next(ctx context.Context) ([]messages.Envelope, error) { return c.reader.Next(ctx) }

// LanguageServers returns the states of all language servers used so far.
func (s *System) LanguageServers(ctx context.Context) []lsp.State {
	return lsp.States(ctx, s.actors.Root, s.languages())
}

// RestartLanguage stops the language servers with this name; each starts again on its next use.
func (s *System) RestartLanguage(name string) {
	lsp.Restart(s.actors.Root, s.languages(), name)
}

func (s *System) languages() *actor.PID {
	return actor.NewPID(s.root.Address, s.root.Id+"/"+lsp.LanguagesName)
}

// RemainingJobs returns the jobs that continue after Stop.
func (s *System) RemainingJobs() []tools.Job {
	return lists.Filter(s.left, background.Alive)
}

// Jobs lets a front end use the background jobs, including those that earlier processes started in
// dir. If dir is "", only the jobs of this process are included.
func (s *System) Jobs(dir string) tools.Jobs {
	table := actor.NewPID(s.root.Address, s.root.Id+"/jobs")
	return jobs.Client{Root: s.actors.Root, Table: table, Home: s.config.Home, Dir: dir}
}
