package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/live"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/cmd/marvin/internal/window"
)

// Run starts a process of its own for the conversation.
func (c startCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	opts.Words = c.Args.Words
	var stdin *os.File
	if opts.Prompt != nil && *opts.Prompt == "-" || opts.PromptFile == "-" {
		stdin = world.Stdin
	} else if _, err := cli.ReadPrompt(opts, nil); err != nil {
		return fmt.Errorf("%w; such as marvin start \"mend the failing test\", and -p - reads it from standard input", err)
	}
	args := append([]string{"hold"}, os.Args[2:]...) // a command is the first argument
	ctx, cancel := context.WithTimeout(ctx, window.Beginning)
	defer cancel()
	id, err := live.Spawn(ctx, args, world.Environ, world.Dir, stdin, world.Stderr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(world.Stdout, "The conversation runs without a window: marvin attach, logs -f, stop or live.\n%s\n", id); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

// HoldCommand is the process that marvin start starts.
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
	signal.Notify(make(chan os.Signal, 1), cli.HangUp) // and not ignored: what it starts has the default
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
	policy.Coding = !opts.Chat // there is no user to ask about the files of the directory
	begin := parts.Conversation(policy, kept)
	begin.Files = nil
	held, err := window.Hold(parts, begin)
	if err != nil {
		return err
	}
	defer held.CloseDoor()
	held.Person = true
	held.Leave()
	held.Showed()
	return errors.Join(held.Alone(ctx, prompt.Text, stderr), system.Stop())
}

// goOnCommand is the process that /detach starts.
type goOnCommand struct {
	Args struct {
		Process int `positional-arg-name:"PID" required:"yes"`
	} `positional-args:"yes"`
}

func (c goOnCommand) Run(ctx context.Context, _ cli.World, _ cli.Options) error {
	return live.Continue(ctx, c.Args.Process)
}
