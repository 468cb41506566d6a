package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/live"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/cmd/marvin/internal/talk"
	"marvin/cmd/marvin/internal/window"
	"marvin/messages"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// LiveCommands holds commands such as "marvin live" and "marvin attach".
type LiveCommands struct {
	Live   liveCommand   `command:"live" description:"list the running conversations and what each one is doing" long-description:"Examples:\n  marvin live\n  marvin live --watch\n  marvin live --output json"`
	Attach attachCommand `command:"attach" description:"open a window on a running conversation" long-description:"Without an ID, the window opens on the only running conversation. Closing the window does not end the conversation.\n\nExamples:\n  marvin attach\n  marvin attach 20261122-144702 --role see\n  marvin attach --plain"`
	Start  startCommand  `command:"start" description:"start a conversation in the background and print its ID" long-description:"Examples:\n  marvin start \"mend the failing test\"\n  marvin start --approve auto --working-dir ~/project -p \"update the docs\""`
	Inbox  inboxCommand  `command:"inbox" description:"list the questions of running conversations, or answer a question" long-description:"Examples:\n  marvin inbox\n  marvin inbox --output json\n  marvin inbox answer 20261122-144702-ucd2oj/call_t1_1 yes\n  marvin inbox answer 20261122-144702-ucd2oj/call_t1_1 no make a backup first"`
	Stop   stopCommand   `command:"stop" description:"end a running conversation; you can continue it later" long-description:"Example:\n  marvin stop 20261122-144702-ucd2oj"`
	Logs   logsCommand   `command:"logs" description:"print a running or stored conversation" long-description:"Examples:\n  marvin logs 20261122-144702-ucd2oj\n  marvin logs --follow 20261122-144702-ucd2oj"`
	Hold   HoldCommand   `command:"hold" hidden:"yes" description:"run the conversation that \"marvin start\" has started"`
	GoOn   goOnCommand   `command:"go-on" hidden:"yes" description:"let a stopped process continue in the background; /detach uses this"`
}

type liveCommand struct {
	Watch bool `long:"watch" description:"list again whenever something changes"`
}

type attachCommand struct {
	Role string `long:"role" value-name:"ROLE" choice:"see" choice:"answer" choice:"drive" default:"drive" description:"what the window may do"`
	Args struct {
		ID string `positional-arg-name:"ID" description:"a conversation that \"marvin live\" lists"`
	} `positional-args:"yes"`
}

type startCommand struct {
	Args struct {
		Words []string `positional-arg-name:"PROMPT" description:"what to do"`
	} `positional-args:"yes"`
}

type stopCommand struct {
	Args struct {
		ID string `positional-arg-name:"ID" required:"yes" description:"a conversation that \"marvin live\" lists"`
	} `positional-args:"yes"`
}

type logsCommand struct {
	Follow bool `long:"follow" short:"f" description:"keep printing until the conversation ends"`
	Args   struct {
		ID string `positional-arg-name:"ID" required:"yes" description:"a conversation that \"marvin live\" or \"marvin sessions\" lists"`
	} `positional-args:"yes"`
}

// watchEvery is the interval between checks for changes.
const watchEvery = 500 * time.Millisecond

func (c liveCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin live\" writes text, or JSON with --output json")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var before []live.ListedSession
	for first := true; ; first = false {
		all, err := cli.LiveSessions(ctx, world)
		if err != nil {
			return err
		}
		now := live.List(all)
		if first || !slices.Equal(now, before) {
			if !first && opts.Output != "json" {
				fmt.Fprintln(world.Stdout) // a blank line between lists
			}
			if err := talk.ShowLive(world, opts, all); err != nil {
				return err
			}
		}
		before = now
		if !c.Watch {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func (c attachCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	stderr := &cli.TranscriptWriter{Out: world.Stderr}
	world.Stderr = stderr
	entry, err := liveSession(ctx, world, c.Args.ID)
	if err != nil {
		return err
	}
	return talk.Join(ctx, world, opts, entry, talk.Joining{Role: messages.WindowRole(c.Role)}, stderr)
}

func liveSession(ctx context.Context, world cli.World, id string) (door.Entry, error) {
	all, err := cli.LiveSessions(ctx, world)
	if err != nil {
		return door.Entry{}, err
	}
	return live.Find(all, id)
}

func (c stopCommand) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	entry, err := liveSession(ctx, world, c.Args.ID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	if err := door.Stop(ctx, entry.Path); err != nil {
		return fmt.Errorf("stop %s: %w", entry.ID, err)
	}
	fmt.Fprintf(world.Stdout, "Stopped %s.%s\n", termsafe.Line(entry.ID), entry.Resume())
	return nil
}

func (c logsCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	entry, err := liveSession(ctx, world, c.Args.ID)
	if errors.As(err, new(live.NotLive)) || errors.Is(err, live.ErrNone) {
		return c.printStored(world, opts)
	}
	if err != nil {
		return err
	}
	window, err := door.Dial(ctx, entry.Path, "marvin logs", messages.RoleSee)
	if err != nil {
		return err
	}
	defer window.Close()
	if err := live.Log(ctx, window, world.Stdout, c.Follow); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

func (c logsCommand) printStored(world cli.World, opts cli.Options) error {
	from := clisessions.Archive{Conversations: clisessions.Conversations{Home: cli.OpenHome(world), World: world, Opts: opts.StorageOptions}}
	told, err := from.ReadTranscript(c.Args.ID)
	if err != nil {
		return err
	}
	if err := live.PrintStored(told.Turns, world.Stdout); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

// Run starts a separate process for the conversation.
func (c startCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	opts.Words = c.Args.Words
	var stdin *os.File
	if opts.Prompt != nil && *opts.Prompt == "-" || opts.PromptFile == "-" {
		stdin = world.Stdin
	} else if _, err := cli.ReadPrompt(opts, nil); err != nil {
		return fmt.Errorf("%w; give a prompt, such as marvin start \"mend the failing test\", or read it from standard input with -p -", err)
	}
	args := append([]string{"hold"}, os.Args[2:]...) // the command must be the first argument
	ctx, cancel := context.WithTimeout(ctx, window.Beginning)
	defer cancel()
	id, err := live.Spawn(ctx, args, world.Environ, world.Dir, stdin, world.Stderr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(world.Stdout, "The conversation runs without a window. Use \"marvin attach\", \"marvin logs -f\", \"marvin stop\" or \"marvin live\".\n%s\n", id); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

// HoldCommand is the command that "marvin start" runs in a separate process.
type HoldCommand struct {
	Args struct {
		Words []string `positional-arg-name:"PROMPT"`
	} `positional-args:"yes"`
}

func (c HoldCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	opts.Words = c.Args.Words
	var stdin *os.File
	if opts.Prompt != nil && *opts.Prompt == "-" || opts.PromptFile == "-" {
		stdin = world.Stdin
	}
	prompt, err := cli.ReadPrompt(opts, stdin)
	if err != nil {
		return err
	}
	signal.Notify(make(chan os.Signal, 1), cli.HangUp) // unlike signal.Ignore, this does not affect child processes
	stderr := &cli.TranscriptWriter{Out: world.Stderr}
	world.Stderr = stderr
	kept, err := clisessions.StoredSession(world, &opts, true)
	if err != nil {
		return err
	}
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	if parts.Pictures, err = pictures.FromOptions(opts, world); err != nil {
		return err
	}
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	defer parts.Close()
	parts.WarnOfAll(true)
	parts.Reading.Begin(parts)
	system := parts.Start()
	policy := parts.Personal()
	policy.Coding = !opts.Chat // coding mode is on by default, because no user is present to turn it on
	begin := parts.Conversation(policy, kept)
	begin.Files = nil
	held, err := window.Hold(parts, begin)
	if err != nil {
		return err
	}
	defer held.CloseDoor()
	held.Person = true
	held.Leave()
	held.SignalShown()
	return errors.Join(held.RunAlone(ctx, prompt.Text, stderr), system.Stop())
}

// goOnCommand continues a stopped process in the background. Marvin runs this command for /detach.
type goOnCommand struct {
	Args struct {
		Process int `positional-arg-name:"PID" required:"yes"`
	} `positional-args:"yes"`
}

func (c goOnCommand) Run(ctx context.Context, _ cli.World, _ cli.Options) error {
	return live.Continue(ctx, c.Args.Process)
}
