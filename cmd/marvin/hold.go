package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"marvin/cmd/marvin/internal/live"
)

const ()

// Run starts a process of its own for the conversation.
func (c startCommand) Run(ctx context.Context, world World, opts options) error {
	opts.words = c.Args.Words
	var stdin *os.File
	if opts.Prompt != nil && *opts.Prompt == "-" || opts.PromptFile == "-" {
		stdin = world.Stdin
	} else if _, err := readPrompt(opts, nil); err != nil {
		return fmt.Errorf("%w; such as marvin start \"mend the failing test\"", err)
	}
	args := append([]string{"hold"}, os.Args[2:]...) // a command is the first argument
	ctx, cancel := context.WithTimeout(ctx, beginning)
	defer cancel()
	id, err := live.Spawn(ctx, args, world.Environ, world.Dir, stdin, world.Stderr)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(world.Stdout, "The conversation runs without a window: marvin attach, logs -f, stop or live.\n%s\n", id); err != nil {
		return unwritten(err)
	}
	return nil
}

// holdCommand is the process that marvin start starts.
type holdCommand struct {
	Args struct {
		Words []string `positional-arg-name:"PROMPT"`
	} `positional-args:"yes"`
}

func (c holdCommand) Run(ctx context.Context, world World, opts options) error {
	opts.words = c.Args.Words
	var stdin *os.File
	if opts.Prompt != nil && *opts.Prompt == "-" || opts.PromptFile == "-" {
		stdin = world.Stdin
	}
	prompt, err := readPrompt(opts, stdin)
	if err != nil {
		return err
	}
	signal.Notify(make(chan os.Signal, 1), hangUp) // and not ignored: what it starts has the default
	stderr := &aside{out: world.Stderr}
	world.Stderr = stderr
	kept, err := kept(world, &opts, true)
	if err != nil {
		return err
	}
	parts, err := wire(world, opts)
	if err != nil {
		return err
	}
	if parts.pictures, err = firstPictures(opts, world); err != nil {
		return err
	}
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	defer parts.close()
	parts.warnOfAll(true)
	parts.reading.begin(parts)
	system := parts.start()
	policy := parts.personal()
	policy.Coding = !opts.Chat // there is no user to ask about the files of the directory
	begin := parts.conversation(policy, kept)
	begin.Files = nil
	held, err := hold(parts, begin)
	if err != nil {
		return err
	}
	defer held.close()
	held.person = true
	held.Leave()
	close(held.shown)
	return errors.Join(held.alone(ctx, prompt.Text, stderr), system.Stop())
}

// goOnCommand is the process that /detach starts.
type goOnCommand struct {
	Args struct {
		Process int `positional-arg-name:"PID" required:"yes"`
	} `positional-args:"yes"`
}

func (c goOnCommand) Run(ctx context.Context, _ World, _ options) error {
	return live.Continue(ctx, c.Args.Process)
}
