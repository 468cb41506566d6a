package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/plain"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// talk runs the conversation with a person.
func talk(ctx context.Context, world World, opts options) error {
	first := ""
	if opts.Prompt != nil || opts.PromptFile != "" || len(opts.words) > 0 {
		prompt, err := readPrompt(opts, nil)
		if err != nil && !errors.Is(err, errNoPrompt) {
			return err
		}
		first = prompt.Text
	}
	stderr := &aside{out: world.Stderr}
	world.Stderr = stderr
	kept, err := kept(world, &opts, true)
	if entry, runs := runsElsewhere(ctx, world, opts, err); runs {
		return join(ctx, world, opts, entry, joining{role: messages.RoleDrive, first: first}, stderr)
	}
	if err != nil {
		return err
	}
	if opts.Continue && opts.left.Info.ID != "" {
		sayOf(world, "Continued: the conversation was not live, and this window runs it now.")
	}
	pictures, err := firstPictures(opts, world)
	if err != nil {
		return err
	}
	if first == "" && len(pictures) > 0 {
		return errors.New("--image is shown with a prompt; add one, such as marvin --image chart.png \"what does it say?\"")
	}
	opts.keepsChoice = terminal(world.Stdin) && terminal(world.Stdout) // a pipe is a program
	parts, err := wire(world, opts)
	if err != nil {
		return err
	}
	parts.pictures = pictures
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	parts.sayUnread()
	defer parts.close()
	parts.warnOfAll(true)
	parts.newcomer = firstStart(parts)
	parts.reading.begin(parts)
	system := parts.start()
	held, err := hold(parts, parts.conversation(parts.personal(), kept))
	if err != nil {
		return err
	}
	defer held.close()
	shown, stop := held.untilHangUp(ctx)
	err = converse(shown, parts, held, first, stderr)
	stop()
	if held.gone.Load() {
		return errors.Join(held.goOn(ctx, stderr), system.Stop())
	}
	err = errors.Join(err, system.Stop())
	farewell(parts, kept != nil)
	parts.sayLeft()
	return err
}

// converse shows the conversation on the whole screen if it can, else in lines.
func converse(ctx context.Context, parts *parts, client ui.Client, first string, stderr *aside) error {
	world, kind := parts.world, parts.world.Getenv("TERM")
	edits := kind != "" && kind != "dumb" && world.Getenv("ACCESSIBLE") != "1"
	if wantsFullScreen(world, parts.opts) {
		terminal, err := tui.Open(world.Now)
		if err == nil {
			return fullScreen(ctx, terminal, client, parts, first, stderr)
		}
		fmt.Fprintln(world.Stderr, "warning:", err)
		edits = false // an unknown kind of terminal
	}
	return inLines(ctx, parts, client, first, edits, stderr)
}

// inLines talks in lines. On a terminal what the program has to say comes in between
// them; otherwise it stays on standard error.
func inLines(ctx context.Context, parts *parts, client ui.Client, first string, edits bool, stderr *aside) error {
	world := parts.world
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	screen := plain.Screen{Config: plain.Config{
		Client: client, Stdin: world.Stdin, Stdout: steered(world.Stdout), Interrupts: interrupts, First: first, Now: world.Now,
		Commands: func(front command.Front) *command.Engine { return engineOf(parts, client, front) },
		Edit:     editor{world}.edit,
		Inputs:   func(profile string) []string { return inputsOf(parts, profile) }, AddInput: func(profile string, text string) { addInput(parts, profile, text) }, Clipboard: func(text string) (string, error) { return copyText(parts, text) },
		Whole: world.Getenv("ACCESSIBLE") == "1", Complete: func(kind slash.Kind, dir string, prefix string) []slash.Completion {
			return complete(parts, kind, dir, prefix)
		}, Keys: parts.settings.Keys, Place: func(dir string) string { return placeOf(parts, dir) }, Joined: parts.attached,
	}}
	if terminal(world.Stdin) && terminal(world.Stdout) {
		screen.Terminal, screen.Edits = world.Stdin, edits
		screen.Colours = lineColours(world, parts.settings)
		screen.Lines = stderr.begin()
		defer stderr.end()
	}
	return screen.Run(ctx)
}
