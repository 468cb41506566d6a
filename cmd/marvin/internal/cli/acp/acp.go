package acp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/acphost"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/host"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/ui/acp"
	"marvin/ui/command"
)

type Command struct {
	Login bool          `long:"login" description:"ask for a provider and its key, and exit\nEditors start this in a terminal so that you can log in."`
	Wait  time.Duration `long:"wait" value-name:"DURATION" default:"10m" description:"how long a question waits for an answer"`
}

// Run serves an editor over the Agent Client Protocol on standard input and output.
func (c Command) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if c.Login {
		return logInSomewhere(ctx, world)
	}
	switch {
	case opts.SelectsConversation():
		return errors.New("in an editor, the editor chooses the conversation; leave out -c, -r, --session and --fork")
	case c.Wait <= 0:
		return fmt.Errorf("--wait: %s is not a duration; give one such as 10m", c.Wait)
	}
	out := cli.Unwrapped(world.Stdout)
	file, isFile := out.(*os.File)
	if diagnostics, is := cli.Unwrapped(world.Stderr).(*os.File); is && isFile {
		own, err := acphost.ReserveStdout(file, diagnostics)
		if err != nil {
			return err
		}
		defer own.Close()
		out = own
	}
	agent := acp.Agent{Host: &editorHost{world: world, opts: opts}, In: world.Stdin, Out: out, Marvin: world.Version, Patience: c.Wait}
	err := agent.Run(ctx)
	switch {
	case errors.Is(err, syscall.EPIPE): // the editor closed its end, which is not an error
		return cli.ErrReported
	case err == nil && ctx.Err() != nil:
		return cli.ErrReported
	}
	return err
}

// editorHost opens sessions for an editor. Each session has its own app, because settings, servers,
// hooks and trust depend on the directory.
type editorHost struct {
	world cli.World
	opts  cli.Options
	mu    sync.Mutex // one session is opened at a time
}

// List implements [acp.Host].
func (h *editorHost) List(dir, cursor string) ([]acp.StoredSession, string, error) {
	sessions := sessions.New(cli.OpenHome(h.world))
	if sessions.Dir() == "" {
		return nil, "", nil
	}
	list, err := sessions.List()
	if dir != "" {
		list, err = sessions.ListOf(projects.RealDir(dir))
	}
	if err != nil && len(list) == 0 {
		return nil, "", err
	}
	return acphost.Page(list, cursor)
}

// Open implements [acp.Host].
func (h *editorHost) Open(_ context.Context, how acp.OpenRequest) (acp.Conversation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	world, opts, err := h.placed(how)
	if err != nil {
		return acp.Conversation{}, err
	}
	titles := make(chan string, 16)
	id, kept, err := h.openStorage(world, &opts, how)
	if err != nil {
		return acp.Conversation{}, err
	}
	if kept != nil {
		kept.OnTitle(func(title string) {
			select {
			case titles <- title:
			default: // the buffer is full, so the title is dropped
			}
		})
	}
	opened, err := h.begin(world, opts, how, kept)
	if err != nil {
		return acp.Conversation{}, errors.Join(err, kept.Close())
	}
	opened.ID, opened.Titles = id, titles
	return opened, nil
}

func (h *editorHost) placed(how acp.OpenRequest) (cli.World, cli.Options, error) {
	world, opts := h.world, h.opts
	dir, err := cli.AbsoluteDir(world, how.Dir)
	if err != nil {
		return world, opts, fmt.Errorf("%w: cwd: %w", acp.ErrWrong, err)
	}
	world.Dir, world.Stdin, world.Stdout = dir, nil, world.Stderr
	opts.WorkingDir = ""
	if how.Session == "" && !opts.Chat { // a stored session has its own coding mode
		opts.WorkingDir = dir
	}
	var more []string
	for _, one := range how.More {
		real, err := cli.AbsoluteDir(world, one)
		if err != nil {
			return world, opts, fmt.Errorf("%w: additionalDirectories: %w", acp.ErrWrong, err)
		}
		if real != dir && !strings.HasPrefix(real, dir+string(filepath.Separator)) && !slices.Contains(more, real) {
			more = append(more, real)
		}
	}
	opts.Editor.Words, opts.Editor.Opened = acphost.DirectoriesNote(more), acphost.CommandDirs(dir, more)
	if opts.Editor.Rules, err = acphost.Rules(more); err != nil {
		return world, opts, err
	}
	opts.Editor.Servers, err = acphost.Servers(how.Servers)
	return world, opts, err
}

// openStorage opens the storage of a session. A new session has an id from the start, but does not
// appear in lists before its first prompt.
func (h *editorHost) openStorage(world cli.World, opts *cli.Options, how acp.OpenRequest) (id string, kept *actors.StoredSession, err error) {
	home := cli.OpenHome(world)
	store := sessions.New(home)
	if how.Session == "" {
		id = store.NewID()
		if opts.NoSession || store.Dir() == "" {
			return id, nil, nil
		}
		profile, _ := home.LastProfile() // app.New reports a damaged file
		return id, actors.StoreSession(home, sessions.Header{ID: id, Dir: world.Dir, Profile: profile}, "", ""), nil
	}
	if store.Dir() == "" || !store.Exists(how.Session) {
		return "", nil, fmt.Errorf("%w: %q", acp.ErrNoSession, how.Session)
	}
	if id = how.Session; how.Copy {
		if id, err = store.Fork(how.Session, 0); err != nil {
			return "", nil, err
		}
	}
	if kept, err = actors.Resume(home, id, ""); err != nil {
		return "", nil, err
	}
	opts.TakeUp(kept, world, world.Dir)
	return id, kept, nil
}

// begin creates an app for a session, and opens the session.
func (h *editorHost) begin(world cli.World, opts cli.Options, how acp.OpenRequest, kept *actors.StoredSession) (acp.Conversation, error) {
	parts, err := app.New(world, opts)
	if err != nil {
		return acp.Conversation{}, err
	}
	if parts.Selection.Provider == providers.Offline && opts.Provider == "" && !how.AllowBuiltIn {
		parts.Close()
		return acp.Conversation{}, fmt.Errorf("%w: log in with a command such as \"marvin login gemini\", or use only the built-in assistant", acp.ErrNoModel)
	}
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	parts.WarnOfAll(true)
	parts.Reading.Begin(parts)
	system := parts.Start()
	client, err := system.Open(parts.Conversation(parts.Personal(), kept))
	if err != nil {
		err = errors.Join(err, system.Stop())
		parts.Close()
		return acp.Conversation{}, err
	}
	return acp.Conversation{
		Client:  client,
		Engine:  func(front command.Front) *command.Engine { return host.Engine(parts, client, front) },
		Picture: host.PictureHost{App: parts}.Check,
		Close: func() error {
			err := system.Stop()
			parts.SayLeft()
			parts.Close()
			if err != nil {
				fmt.Fprintln(world.Stderr, "warning:", err)
			}
			return err
		},
	}, nil
}
