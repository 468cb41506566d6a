package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp"
)

// Command holds the subcommands of "marvin mcp".
type Command struct {
	Add     mcpAdd     `command:"add" description:"configure a server, start it once, and show its tools" long-description:"Marvin writes the entry under \"mcp:\" in config.yaml and changes nothing else in the file. A value such as $TOKEN is read from the environment when Marvin starts, so the file holds no keys.\n\nExamples:\n  marvin mcp add files -- npx -y @modelcontextprotocol/server-filesystem .\n  marvin mcp add github --env GITHUB_TOKEN='$GITHUB_TOKEN' -- npx -y some-server\n  marvin mcp add tracker --url https://example.com/mcp --header Authorization='Bearer $KEY'\n  marvin mcp add memory --reads read_graph,search_nodes -- npx -y @modelcontextprotocol/server-memory"`
	List    mcpList    `command:"list" description:"list configured and offered servers"`
	Test    mcpTest    `command:"test" description:"start a server and show what it offers, or why it fails"`
	Login   mcpLogin   `command:"login" description:"use a browser to log in to a server that requires a login" long-description:"For a server that has a url and asks for a login (OAuth 2 with PKCE). Marvin prints an address. Open it in a browser on this machine and approve the login. Marvin stores the login, renews it, and sends it only to this server.\n\nExamples:\n  marvin mcp login tracker\n  marvin mcp login tracker --forget"`
	Tools   mcpTools   `command:"tools" description:"list the tools of a server, as models see them"`
	Call    mcpCall    `command:"call" description:"call a tool of a server" long-description:"Example:\n  marvin mcp call files list_directory path=."`
	Read    mcpRead    `command:"read" description:"list the resources of a server, or print one" long-description:"Examples:\n  marvin mcp read files\n  marvin mcp read files file:///tmp/notes.txt"`
	Log     mcpLog     `command:"log" description:"start a server and print its log output"`
	Approve mcpApprove `command:"approve" description:"approve the tools of a server, and what it may access"`
	Accept  mcpAccept  `command:"accept" description:"use a server that a project or program offers" long-description:"Without your consent, Marvin never starts a server that a project offers (.mcp.json, .vscode/mcp.json). Marvin shows every header and variable, and asks before it passes one of your variables; without a terminal, use --give to list the variables that may be passed. Marvin never passes on the keys of model providers. You accept the command, its arguments, the address and the variables as they are now: if they change later, accept the server again. A server from the files of Claude Desktop, Claude Code, Cursor or VS Code in your home directory is copied to config.yaml, including the values of its headers and variables."`
	Enable  mcpEnable  `command:"enable" description:"switch a server on"`
	Disable mcpDisable `command:"disable" description:"switch a server off; its configuration stays"`
	Remove  mcpRemove  `command:"remove" description:"remove a server from the configuration"`
	Serve   mcpServe   `command:"serve" description:"act as a server that offers Marvin's tools to another agent" long-description:"Speaks MCP on standard input and output. Your rules, the sandbox and --approve apply as in a non-interactive run.\n\nExample, in the configuration of another agent:\n  marvin mcp serve --tools read_file,search_files,git_status"`
}

type mcpAdd struct {
	Env     []string      `long:"env" value-name:"NAME=VALUE" description:"set a variable; $NAME is read when the server starts"`
	URL     string        `long:"url" value-name:"URL" description:"the server's address, instead of a program"`
	Header  []string      `long:"header" value-name:"NAME=VALUE" description:"a header to send with each request to the server"`
	Reads   []string      `long:"reads" value-name:"TOOL,…" description:"read-only tools that run without asking; * means all"`
	Timeout time.Duration `long:"timeout" value-name:"DURATION" description:"how long a call may take, instead of 1m"`
	Free    bool          `long:"without-sandbox" description:"run the server's program with all your permissions"`
	Args    struct {
		Name    string   `positional-arg-name:"NAME" required:"yes" description:"what you call the server"`
		Command []string `positional-arg-name:"COMMAND"`
	} `positional-args:"yes"`
}

type serverName string

// Complete proposes the servers for shell completion.
func (serverName) Complete(prefix string) (list []flags.Completion) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	settings, err := settings.Read(persistence.Open(home, time.Now))
	if err != nil {
		return nil
	}
	for _, name := range ServerNames(settings.Servers) {
		if strings.HasPrefix(name, prefix) {
			list = append(list, flags.Completion{Item: name})
		}
	}
	return list
}

type oneServer struct {
	Args struct {
		Name serverName `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin mcp list\" shows"`
	} `positional-args:"yes"`
}

type (
	mcpList    struct{}
	mcpTest    struct{ oneServer }
	mcpTools   struct{ oneServer }
	mcpLog     struct{ oneServer }
	mcpApprove struct {
		Args struct {
			Name   serverName `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin mcp list\" shows"`
			Wishes []string   `positional-arg-name:"PATH|HOST" description:"allow only this request; for a list, run marvin mcp list"`
		} `positional-args:"yes"`
	}
	mcpEnable  struct{ oneServer }
	mcpDisable struct{ oneServer }
	mcpRemove  struct{ oneServer }
	mcpAccept  struct {
		Give []string `long:"give" value-name:"NAME,…" description:"pass these environment variables to the server"`
		Args struct {
			Name string `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin mcp list\" shows"`
		} `positional-args:"yes"`
	}
	mcpCall struct {
		Args struct {
			Name   serverName `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin mcp list\" shows"`
			Tool   string     `positional-arg-name:"TOOL" required:"yes" description:"a tool that \"marvin mcp tools\" lists"`
			Values []string   `positional-arg-name:"key=value"`
		} `positional-args:"yes"`
	}
	mcpRead struct {
		Args struct {
			Name serverName `positional-arg-name:"NAME" required:"yes" description:"a server that \"marvin mcp list\" shows"`
			URI  string     `positional-arg-name:"URI"`
		} `positional-args:"yes"`
	}
)

// Servers contains the state that the server commands share.
type Servers struct {
	world    cli.World
	Home     *persistence.Home
	settings settings.Config
	all      map[string]settings.Server // servers in config.yaml, from the editor, or accepted
	offers   []extensions.Offer
	direct   *mcp.Direct
	sandbox  *tools.Sandbox
	keys     extensions.GuardedKeys
	json     bool
}

// WithServers calls a function with the configured servers. When the function returns, WithServers
// closes all sessions.
func WithServers(ctx context.Context, world cli.World, opts cli.Options, do func(context.Context, *Servers) error) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin mcp\" writes text, or JSON with --output json")
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	guarded, err := app.Guard(world, opts)
	if err != nil {
		return err
	}
	home, settings, sandbox := guarded.Home, guarded.Settings, guarded.Sandbox
	s := &Servers{world: guarded.World, Home: home, settings: settings, sandbox: sandbox, json: opts.Output == "json"}
	s.keys = extensions.ModelKeys(settings, s.world.Environ)
	s.all, s.offers, err = extensions.ProjectServers(home, dir, settings.Servers, s.keys)
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	maps.Copy(s.all, cli.EditorServers(opts.Editor, settings))
	others, err := extensions.OtherOffers(world.Home, s.all, s.offers)
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	s.offers = append(s.offers, others...)
	s.direct = &mcp.Direct{Servers: s.all, Home: home, Ground: mcp.Ground{
		Version: s.world.Version, Environ: s.world.Environ, Dir: dir, Sandbox: sandbox, Now: world.Now,
	}, OnLearned: func(words string) { fmt.Fprintln(world.Stderr, tools.Visible(words)) }}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer func() {
		s.direct.Close()
		_ = sandbox.Close()
	}()
	return do(ctx, s)
}

func ServerNames(all map[string]settings.Server) []string { return slices.Sorted(maps.Keys(all)) }

// Named looks up the settings of a server by name.
func (s *Servers) Named(name string) (settings.Server, error) {
	if server, ok := s.all[name]; ok {
		return server, nil
	}
	for _, one := range s.offers {
		if one.Name == name {
			return settings.Server{}, fmt.Errorf("the server %s is offered by %s but not in use; to use it as it is now, run marvin mcp accept %[1]s", tools.Visible(name), one.File)
		}
	}
	known := "none is configured; to add one, run marvin mcp add NAME -- COMMAND"
	if len(s.all) > 0 {
		known = "there are " + strings.Join(ServerNames(s.all), ", ")
	}
	return settings.Server{}, fmt.Errorf("there is no server called %s: %s", tools.Visible(name), known)
}

// fetchManifest connects to a server and stores the manifest. If approve is true or the server is
// new, fetchManifest approves all tools.
func (s *Servers) fetchManifest(ctx context.Context, name string, approve bool) (mcp.Manifest, *mcp.Session, error) {
	if _, err := s.Named(name); err != nil {
		return mcp.Manifest{}, nil, err
	}
	session, err := s.direct.Session(ctx, name, nil)
	if err != nil {
		return mcp.Manifest{}, nil, err
	}
	manifest, err := mcp.RecordManifest(ctx, s.Home, session, approve)
	return manifest, session, err
}
