package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/rpc"
)

// hangUp is the signal of a terminal that is closed.
const hangUp = syscall.SIGHUP

const (
	beginning = 60 * time.Second // until a conversation without a window has an id
	polling   = 20 * time.Millisecond
)

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

// alone begins with a prompt, and continues without a window.
func (h *liveTalk) alone(ctx context.Context, prompt string, stderr *aside) error {
	window, err := h.Window("marvin start", messages.RoleDrive, true)
	if err != nil {
		return err
	}
	in, end := io.Pipe()
	defer func() { _ = end.Close() }()
	server := rpc.Server{
		Client: window, In: in, Out: io.Discard, Marvin: h.parts.world.Version, First: prompt,
		Picture: showing{h.parts}.checked,
		Engine: func(front command.Front) *command.Engine {
			engine := joined(h.parts, window, front)
			engine.Pictures.First = h.parts.pictures
			return engine
		},
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Run(ctx) // it writes nowhere
	}()
	if err := h.tellStarter(ctx, stderr); err != nil {
		live.End(h)
		return err
	}
	live.Hold(ctx, h, h.works, parkTime(h.parts), h.parts.world.Now)
	<-ended
	return nil
}

// tellStarter says the id of the conversation on standard output, and lets that and standard
// error go.
func (h *liveTalk) tellStarter(ctx context.Context, stderr *aside) error {
	<-h.opened
	ctx, cancel := context.WithTimeout(ctx, beginning)
	defer cancel()
	ticker := time.NewTicker(polling)
	defer ticker.Stop()
	for now := h.Live(); now.ID == "" && !h.parts.opts.NoSession && now.State != messages.LiveDone; now = h.Live() {
		select {
		case <-ticker.C:
		case <-h.Over():
			return errors.New("the conversation ended before it began")
		case <-ctx.Done():
			return fmt.Errorf("the conversation has no id: %w", ctx.Err())
		}
	}
	err := live.Ready(h.parts.world.Stdout, strings.TrimSpace(h.id()))
	var files []*os.File
	for _, stream := range []any{h.parts.world.Stdin, steered(h.parts.world.Stdout), stderr.discard()} {
		if file, is := stream.(*os.File); is && file != nil {
			files = append(files, file)
		}
	}
	return errors.Join(err, live.Release(files...))
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
