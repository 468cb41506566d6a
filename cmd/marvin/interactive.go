package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"marvin/actors"
	"marvin/providers"
	"marvin/ui/plain"
)

// talk runs the conversation with a person.
func talk(ctx context.Context, world World, opts options) int {
	first := ""
	if opts.Prompt != nil || opts.PromptFile != "" || len(opts.words) > 0 {
		var err error
		if first, err = readPrompt(opts, nil); err != nil && !errors.Is(err, errNoPrompt) {
			fmt.Fprintln(world.Stderr, "Error:", err)
			return 1
		}
	}
	parts, err := wire(world, opts)
	if err != nil {
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	}
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	defer parts.close()
	system := actors.Start(parts.config)
	client, err := system.Open(parts.conversation(actors.Policy{
		Coding: opts.WorkingDir != "" || parts.selection.Provider == providers.Offline, Person: true, Persist: true, Seed: true,
	}))
	if err != nil {
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	screen := plain.Screen{Client: client, Stdin: world.Stdin, Stdout: world.Stdout, Interrupts: interrupts, First: first}
	err = errors.Join(screen.Run(ctx), system.Stop())
	if err != nil {
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	}
	return 0
}
