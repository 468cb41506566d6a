package actors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/budget"
	"marvin/actors/internal/feed"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/audit"
	"marvin/persistence/projects"
	written "marvin/persistence/words"
	"marvin/providers"
	"marvin/providers/tokens"
	"marvin/tools"
	"marvin/tools/background"
	"marvin/tools/hooks"
	"marvin/tools/language"
)

func init() {
	// The library keeps its processes in 1024 maps of SHARD_COUNT shards each. With
	// the default of 32 that is 66,000 objects, 2.8 MiB and 2.7 ms at every start;
	// with one it is 0.2 ms, and no process here has enough actors to notice.
	cmap.SHARD_COUNT = 1
}

// Config is everything that the tree is made of. It is never changed after [Start].
type Config struct {
	// Tools are what there is to call. A turn keeps to what there was when it began.
	Tools       *tools.Shelf
	Models      Models   // how they are asked, and which there are
	Notifier    Notifier // where messages for the user come from; may be nil
	Alarms      Alarms   // what rings while a person talks; may be nil
	Home        *persistence.Home
	Memory      string           // ask, auto or off: what becomes of facts that a model wants to remember; "" is ask
	Local       map[string]bool  // hosts that hosts: of config.yaml maps to this machine
	Words       *written.Library // instructions and skills; nil reads them each time
	Environ     []string
	Sandbox     *tools.Sandbox     // what holds commands; nil holds nothing
	Permissions *tools.Permissions // the user's rules; nil has none
	Others      Others             // servers and hooks of others
	Audit       audit.Log
	Dir         string        // the default coding directory; "" for none
	Files       int           // how many files the process may open; 0 if that is not known
	Commands    int           // how many commands run at once; 0 for the default of 64
	AgentTime   time.Duration // for one sub-agent; 0 for the default of 10 minutes
	Manual      fs.FS         // the pages of Marvin's manual, as NAME.md; nil for none
	System      string        // operating system and shell, for the model
	Now         func() time.Time
	Languages   *language.Set // language servers; nil for none
	Version     string        // of Marvin, for servers
	Tuning      Tuning
	Context     ContextLimits
	Log         *slog.Logger // must not wait for a disk: actors write into it
	Problem     func(error)  // told when a document could not be written; may be nil

	tokens *tokens.Counter // shared by all conversations
}

// ContextLimits are sizes of a question in tokens at which a conversation is warned,
// compacted and refused; 0 means the default, and a model's own window lowers them.
type ContextLimits = budget.Limits

// Choice names a provider and one of its models.
type Choice struct{ Provider, Model string }

// String is the choice as people and files write it.
func (c Choice) String() string { return c.Provider + "/" + c.Model }

// System is a running tree: one per process, shared by all conversations in it.
type System struct {
	actors  *actor.ActorSystem
	root    *actor.PID
	config  *Config
	servers serverClient
	left    []tools.Job
	ending  sync.Once
	ended   error
}

// Start grows the tree. Stop must be called in the end.
func Start(config Config) *System {
	config.Tuning = config.Tuning.withDefaults()
	config.Dir = projects.RealDir(config.Dir)
	config.tokens, config.Others.now = &tokens.Counter{}, newOthers(config.Others)
	if config.Words == nil {
		config.Words = &written.Library{}
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	system := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.DiscardHandler) // its default prints coloured lines to stderr
	}))
	shared := newPools(config.Files, config.Commands)
	root, err := system.Root.SpawnNamed(props(config.Log, func() actor.Actor {
		return &marvin{config: &config, pools: shared}
	}), "marvin")
	if err != nil {
		panic(fmt.Sprintf("actors: spawn the root of a fresh system: %v", err))
	}
	grown := &System{actors: system, root: root, config: &config, servers: newServerClient(system.Root, root, config.servers())}
	grown.servers.stockShelf()
	return grown
}

// servers is what MCP servers are run with.
func (config *Config) servers() serverDeps {
	return serverDeps{
		Version: config.Version, Environ: config.Environ, Dir: config.Dir, Home: config.Home, Sandbox: config.Sandbox,
		Tools: config.Tools, Others: config.Others.now, Reread: config.Others.Reread, Log: config.Log, Now: config.Now,
	}
}

// Conversation says how a conversation begins.
type Conversation struct {
	Choice  Choice
	Named   bool             // the user named it, so no role replaces it
	Effort  providers.Effort // how long models think; "" is as each does by itself
	Dir     string           // working directory, absolute; "" for none
	Profile string
	Policy  Policy
	// Root is what the sandbox lets commands write to: the working directory that the
	// user chose. "" means Dir. A model never changes it.
	Root string

	// Windows says that further front ends may join; see [Client.Window].
	Windows bool
	// Files asks whether coding may be on; nil if there is nothing to ask.
	Files *OfferFiles

	// Bound are directories of [Models.Private] whose words the conversation holds.
	Bound []string

	// Kept is where what is said is written down; nil keeps nothing.
	Kept *Kept
	// Spending is what several conversations spend together; nil means one of its own.
	Spending *Spending
	// Intends is called before each call that changes something, also of sub-agents, and may block;
	// may be nil. It must be safe for concurrent use.
	Intends func(tool string, effect tools.Effect)
	trust   trust // never changed, only replaced
	hooks   *hooks.Set
	name    string // in this process
	first   bool   // it is the first one
	// life ends when a sub-agent is cancelled, before it gets the message; nil for others.
	life   context.Context
	caller caller // of a sub-agent

	undo      *undoLog     // what files held that tools changed; nil keeps nothing
	undoTurn  string       // the turn of the main conversation
	artifacts *artifactLog // what tools put out beyond what is shown
}

// Open begins a conversation and returns the front end's side of it.
func (s *System) Open(conversation Conversation) (*Client, error) {
	client := &Client{system: s.actors}
	var events audience
	if conversation.Windows {
		client.hall = windows.New(s.config.Now)
		client.window = client.hall.Open(windows.Wish{Name: "the first window", Role: messages.RoleDrive, First: true})
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

// ErrShutdown means that the tree did not end in time.
var ErrShutdown = errors.New("marvin did not end in time")

// Stop ends every conversation in order, then the recorder when everything is written, then the
// tree. It waits at most Tuning.Shutdown. Background jobs continue: see [System.Left]. A second
// call does nothing.
func (s *System) Stop() error {
	s.ending.Do(func() { s.ended = s.stop() })
	return s.ended
}

func (s *System) stop() error {
	reply, err := s.actors.Root.RequestFuture(s.root, shutdown{}, s.config.Tuning.Shutdown).Result()
	if err != nil {
		return fmt.Errorf("%w: after %v the disk had not taken everything; the end of the conversation may be lost", ErrShutdown, s.config.Tuning.Shutdown)
	}
	s.left = reply.(treeEnded).left
	if err := s.actors.Root.StopFuture(s.root).Wait(); err != nil {
		return fmt.Errorf("%w: %w", ErrShutdown, err)
	}
	s.actors.Shutdown()
	return nil
}

// Client is a front end's side of one conversation. It is safe for use by one
// sender and one reader at a time.
type Client struct {
	system   *actor.ActorSystem
	entrance *actor.PID // of the session
	reader   interface {
		Next(context.Context) ([]messages.Envelope, error)
	}
	hall   *windows.Hall   // nil for a conversation with one front end
	window *windows.Window // the first one of the hall
}

// Send asks something of the session. It never waits for the session and never runs it; after
// the session closed it does nothing. A directory gets its real name here, off the actors, because that
// looks at the disk.
func (c *Client) Send(op messages.Op) {
	if c.window != nil {
		op = c.window.Sends(op)
	}
	c.pass(op)
}

// pass mails an op to the session.
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

// Next returns the events since the last call, waiting for at least one. It returns
// io.EOF after [messages.Closed], or the cause of ctx.
func (c *Client) Next(ctx context.Context) ([]messages.Envelope, error) { return c.reader.Next(ctx) }

// LanguageServers tells of the language servers that ran in this process.
func (s *System) LanguageServers(ctx context.Context) []LanguageState {
	return languageStates(ctx, s.actors.Root, s.languages())
}

// RestartLanguage ends the language servers of a name; each starts again when it is wanted.
func (s *System) RestartLanguage(name string) {
	restartLanguage(s.actors.Root, s.languages(), name)
}

func (s *System) languages() *actor.PID {
	return actor.NewPID(s.root.Address, s.root.Id+"/"+languagesName)
}

// Left lists the jobs that continue after Stop.
func (s *System) Left() []tools.Job {
	var left []tools.Job
	for _, job := range s.left {
		if background.Alive(job) {
			left = append(left, job)
		}
	}
	return left
}

// Jobs is the background work as the person at a front end knows it, with that of
// earlier Marvins in a working directory, which may be "".
func (s *System) Jobs(dir string) tools.Jobs {
	table := actor.NewPID(s.root.Address, s.root.Id+"/jobs")
	return jobsClient{root: s.actors.Root, table: table, home: s.config.Home, dir: dir}
}
