package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/live"
	"marvin/cmd/marvin/internal/webaccess"
	"marvin/cmd/marvin/internal/window"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/sessions"
	"marvin/ui/door"
	"marvin/ui/termsafe"
	"marvin/ui/web"
)

type WebCommand struct {
	Port   int    `long:"port" value-name:"PORT" description:"the port to listen on; the default is any free port"`
	Listen string `long:"listen" value-name:"ADDR" description:"also serve other machines at this address, over TLS\nYou confirm each device here before it can connect."`
	NoOpen bool   `long:"no-open" description:"print the one-time link; open no browser"`
	Args   struct {
		Words []string `positional-arg-name:"devices [revoke ID]" description:"list the paired devices, or revoke one"`
	} `positional-args:"yes"`
}

// Run lists or revokes paired devices, or serves the web page until an interrupt.
func (c WebCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if len(c.Args.Words) > 0 {
		return webDevices(world, opts, c.Args.Words)
	}
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("--port %d is not a valid port; give one from 1 to 65535, or leave --port out for any free port", c.Port)
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:"+strconv.Itoa(c.Port))
	if err != nil {
		return fmt.Errorf("open a port for the page: %w; choose another port with --port", err)
	}
	debug.SetGCPercent(garbage)
	host := webHost{world: world, args: startArgs(os.Args[2:])}
	server := web.New(listener, host, cmp.Or(dir, world.Dir), world.Now)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	desk := &webaccess.Terminal{Out: world.Stdout, Local: server.Guard}
	if cli.Terminal(world.Stdout) && world.Getenv("TERM") != "dumb" {
		desk.Screen = cli.Unwrapped(world.Stdout)
	}
	if c.Listen != "" {
		if err := desk.Open(ctx, server, cli.OpenHome(world), c.Listen); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	if err := c.openPage(world, server); err != nil {
		return errors.Join(err, listener.Close())
	}
	if c.Listen != "" {
		desk.Invite(messages.RoleDrive)
	}
	if c.Listen != "" || cli.Terminal(world.Stdin) {
		go desk.Talk(world.Stdin)
	}
	return server.Serve(ctx)
}

// garbage is the GOGC value for the web server. With 200 idle browser pages, this value saves 8 MiB
// compared with the default of 100.
const garbage = 30

func (c WebCommand) openPage(world cli.World, server *web.Server) error {
	link := server.Link(messages.RoleDrive)
	if !c.NoOpen {
		err := openBrowser(world, link)
		if err == nil {
			link = "The page is open in your browser. Press Ctrl-C to end marvin web, or Enter to get a link for another browser."
		} else {
			fmt.Fprintf(world.Stderr, "No browser opened (%v). Open this link, which works once:\n", err)
		}
	}
	if _, err := fmt.Fprintln(world.Stdout, link); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

// webDevices lists the paired devices, or revokes one.
func webDevices(world cli.World, opts cli.Options, words []string) error {
	devices := &webaccess.Devices{Home: cli.OpenHome(world)}
	switch {
	case len(words) == 3 && words[0] == "devices" && words[1] == "revoke":
		if err := devices.Revoke(words[2]); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "Revoked %s. Its pages close within seconds.\n", termsafe.Line(words[2]))
		return nil
	case len(words) != 1 || words[0] != "devices":
		return errors.New("\"marvin web\" does not have this subcommand: to serve the page, run marvin web; to list the paired devices, run marvin web devices; to revoke one, run marvin web devices revoke ID")
	}
	all, err := devices.All()
	switch {
	case err != nil:
		return err
	case opts.Output == "json":
		return cli.WriteLine(world, webaccess.DevicesJSON(all))
	case len(all) == 0:
		fmt.Fprintln(world.Stdout, "No device is paired. To pair one, run marvin web --listen ADDR.")
	}
	for _, one := range all {
		fmt.Fprintf(world.Stdout, "%s  %-6s  %s  %s  %s\n", termsafe.Line(one.ID), one.Role, one.Added.Local().Format("2006-01-02 15:04"), termsafe.Line(one.From), termsafe.Line(one.Name))
	}
	return nil
}

// startArgs returns args without the options that are specific to "marvin web".
func startArgs(args []string) (left []string) {
	for i := 0; i < len(args); i++ {
		switch one := args[i]; {
		case one == "--no-open" || strings.HasPrefix(one, "--port=") || strings.HasPrefix(one, "--listen="):
		case one == "--port" || one == "--listen":
			i++
		default:
			left = append(left, one)
		}
	}
	return left
}

// webHost implements [web.Host].
type webHost struct {
	world cli.World
	args  []string // options for new conversations
}

func (h webHost) entries(ctx context.Context) ([]door.Entry, error) {
	return cli.LiveSessions(ctx, h.world.Quiet()) // without Quiet, LiveSessions would repeat its warnings every second
}

// ListRunning implements [web.Host].
func (h webHost) ListRunning(ctx context.Context) (all []messages.Live, err error) {
	entries, err := h.entries(ctx)
	return lists.Map(entries, func(one door.Entry) messages.Live { return one.Live }), err
}

func (h webHost) entry(ctx context.Context, id string) (door.Entry, error) {
	entries, err := h.entries(ctx)
	if err != nil {
		return door.Entry{}, err
	}
	at := slices.IndexFunc(entries, func(one door.Entry) bool { return one.ID == id })
	if at < 0 {
		return door.Entry{}, live.NotLive(id)
	}
	return entries[at], nil
}

func (h webHost) archive() clisessions.Archive {
	quiet := h.world
	quiet.Stderr = io.Discard // "marvin sessions check" reports unreadable files
	return clisessions.Archive{Conversations: clisessions.Conversations{Home: cli.OpenHome(quiet), World: quiet}}
}

// ListStored implements [web.Host].
func (h webHost) ListStored() (all []web.StoredSession, err error) {
	from := h.archive()
	if sessions.New(from.Home).Dir() == "" {
		return nil, nil
	}
	for _, info := range from.List() {
		one := clisessions.NewRow(info)
		all = append(all, web.StoredSession{ID: one.ID, Title: cmp.Or(one.Title, one.Name), Dir: one.Dir, Updated: one.Updated, Cost: one.Cost})
	}
	return all, nil
}

// ReadStored implements [web.Host].
func (h webHost) ReadStored(id string) (web.StoredSession, []messages.Recalled, error) {
	told, err := h.archive().ReadTranscript(id)
	if err != nil {
		return web.StoredSession{}, nil, err
	}
	one := clisessions.NewRow(told.Info)
	return web.StoredSession{ID: one.ID, Title: one.Title, Dir: one.Dir, Updated: one.Updated, Cost: one.Cost}, told.Turns, nil
}

// Open implements [web.Host].
func (h webHost) Open(ctx context.Context, id, name string, role messages.WindowRole) (web.Window, error) {
	entry, err := h.entry(ctx, id)
	if err != nil {
		return nil, err
	}
	dialing, cancel := context.WithTimeout(ctx, cli.LiveTimeout)
	defer cancel()
	window, err := door.Dial(dialing, entry.Path, name, role)
	if err != nil {
		return nil, err
	}
	return window, nil
}

// Complete implements [web.Host].
func (h webHost) Complete(ctx context.Context, id, text string) (found web.Completions, err error) {
	entry, err := h.entry(ctx, id)
	if err != nil {
		return found, err
	}
	ctx, cancel := context.WithTimeout(ctx, cli.LiveTimeout)
	defer cancel()
	all, err := door.Complete(ctx, entry.Path, text)
	found.Word = all.Word
	for _, one := range all.Items {
		found.Items = append(found.Items, web.Completion(one))
	}
	return found, err
}

// Answer implements [web.Host].
func (h webHost) Answer(ctx context.Context, id, name string, answer messages.Answer) error {
	entry, err := h.entry(ctx, id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	window, err := door.Dial(ctx, entry.Path, name, messages.RoleAnswer)
	if err != nil {
		return err
	}
	defer window.Close()
	return live.Answer(ctx, window, answer)
}

// Stop implements [web.Host].
func (h webHost) Stop(ctx context.Context, id string) error {
	entry, err := h.entry(ctx, id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	return door.Stop(ctx, entry.Path)
}

// Start implements [web.Host]. It works like "marvin start", with the options from h.args.
func (h webHost) Start(ctx context.Context, begin web.StartRequest) (string, error) {
	args := append([]string{"hold"}, h.args...)
	if begin.Resume != "" {
		args = append(args, "--resume="+begin.Resume)
	} else {
		dir := begin.Dir
		if rest, home := strings.CutPrefix(dir, "~"); home && (rest == "" || rest[0] == '/') {
			dir = h.world.Home + rest
		}
		if !filepath.IsAbs(dir) || !cli.IsDir(dir) {
			return "", fmt.Errorf("%s is not a directory; give a full path such as /home/me/project", dir)
		}
		args = append(args, "--working-dir="+dir)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer func() { _ = read.Close() }()
	go func() {
		_, _ = io.WriteString(write, begin.Prompt) // if the new process cannot read the prompt, live.Spawn returns an error
		_ = write.Close()
	}()
	ctx, cancel := context.WithTimeout(ctx, window.Beginning)
	defer cancel()
	return live.Spawn(ctx, append(args, "--prompt-file=-"), h.world.Environ, h.world.Dir, read, h.world.Stderr)
}
