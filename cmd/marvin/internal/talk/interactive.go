package talk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/editor"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/cmd/marvin/internal/themes"
	"marvin/cmd/marvin/internal/window"
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/plain"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// Talk runs the conversation with the user.
func Talk(ctx context.Context, world cli.World, opts cli.Options) error {
	first := ""
	if opts.Prompt != nil || opts.PromptFile != "" || len(opts.Words) > 0 {
		prompt, err := cli.ReadPrompt(opts, nil)
		if err != nil && !errors.Is(err, cli.ErrNoPrompt) {
			return err
		}
		first = prompt.Text
	}
	stderr := &cli.TranscriptWriter{Out: world.Stderr}
	world.Stderr = stderr
	kept, err := clisessions.StoredSession(world, &opts, true)
	if entry, runs := runsElsewhere(ctx, world, opts, err); runs {
		return Join(ctx, world, opts, entry, Joining{Role: messages.RoleDrive, first: first}, stderr)
	}
	if err != nil {
		return err
	}
	if opts.Continue && opts.Left.Info.ID != "" {
		cli.ReportConversation(world, "Continued: the conversation was not running, so this window runs it now.")
	}
	pictures, err := pictures.FromOptions(opts, world)
	if err != nil {
		return err
	}
	if first == "" && len(pictures) > 0 {
		return errors.New("--image needs a prompt; add one, as in: marvin --image chart.png \"what does it say?\"")
	}
	opts.KeepsChoice = cli.Terminal(world.Stdin) && cli.Terminal(world.Stdout)
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	parts.Pictures = pictures
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	parts.SayUnread()
	defer parts.Close()
	parts.WarnOfAll(true)
	parts.Newcomer = firstStart(parts)
	parts.Reading.Begin(parts)
	system := parts.Start()
	held, err := window.Hold(parts, parts.Conversation(parts.Personal(), kept))
	if err != nil {
		return err
	}
	defer held.CloseDoor()
	shown, stop := held.UntilHangUp(ctx)
	err = converse(shown, parts, held, first, stderr)
	stop()
	if held.Gone.Load() {
		return errors.Join(held.GoOn(ctx, stderr), system.Stop())
	}
	err = errors.Join(err, system.Stop())
	farewell(parts, kept != nil)
	parts.SayLeft()
	return err
}

// converse runs the conversation on the full screen if the terminal allows it, else line by line.
func converse(ctx context.Context, parts *app.App, client ui.Client, first string, stderr *cli.TranscriptWriter) error {
	world, kind := parts.World, parts.World.Getenv("TERM")
	edits := kind != "" && kind != "dumb" && world.Getenv("ACCESSIBLE") != "1"
	if cli.WantsFullScreen(world, parts.Opts) {
		terminal, err := tui.Open(world.Now)
		if err == nil {
			return fullScreen(ctx, terminal, client, parts, first, stderr)
		}
		fmt.Fprintln(world.Stderr, "warning:", err)
		edits = false // unknown terminal type
	}
	return inLines(ctx, parts, client, first, edits, stderr)
}

// inLines runs the conversation in plain mode. On a terminal, warnings appear between the lines of
// the conversation. Otherwise they go to standard error.
func inLines(ctx context.Context, parts *app.App, client ui.Client, first string, edits bool, stderr *cli.TranscriptWriter) error {
	world := parts.World
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	screen := plain.Screen{Config: plain.Config{
		Client: client, Stdin: world.Stdin, Stdout: cli.Unwrapped(world.Stdout), Interrupts: interrupts, First: first, Now: world.Now,
		Commands: func(front command.Front) *command.Engine { return host.Engine(parts, client, front) },
		Edit:     editor.Editor{World: world}.Edit,
		Inputs:   func(profile string) []string { return inputsOf(parts, profile) }, AddInput: func(profile string, text string) { addInput(parts, profile, text) }, Clipboard: func(text string) (string, error) { return pictures.CopyText(parts.World, text) },
		WholeLines: world.Getenv("ACCESSIBLE") == "1", Complete: func(kind slash.Kind, dir string, prefix string) []slash.Completion {
			return host.Complete(parts, kind, dir, prefix)
		}, Keys: parts.Settings.Keys, Place: func(dir string) string { return placeOf(parts, dir) }, Joined: parts.Attached,
	}}
	if cli.Terminal(world.Stdin) && cli.Terminal(world.Stdout) {
		screen.Terminal, screen.Edits = world.Stdin, edits
		screen.Colours = themes.LineColours(world, parts.Settings)
		screen.Lines = stderr.Begin()
		defer stderr.End()
	}
	return screen.Run(ctx)
}
