package main

import (
	"cmp"
	"context"
	"fmt"

	"marvin/actors"
	"marvin/messages"
	"marvin/ui/headless"
)

// answer runs one prompt for a program that reads stdout. The outcome of the turn
// decides the exit code; the cost line is the last of stderr, on success and error.
func answer(ctx context.Context, world World, opts options) error {
	prompt, err := readPrompt(opts, world.Stdin)
	if err != nil {
		return err
	}
	return accounted{runPrompt(ctx, world, opts, prompt), opts.Output != "text"}
}

func runPrompt(ctx context.Context, world World, opts options, prompt messages.Prompt) headless.Result {
	failed := func(err error) headless.Result {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	pictures, err := firstPictures(opts, world)
	if err != nil {
		return failed(err)
	}
	kept, err := kept(world, &opts, false)
	if err != nil {
		return failed(err)
	}
	if kept == nil && !opts.NoSession {
		kept = keptAnswer(world, opts)
	}
	parts, err := wire(world, opts)
	if err != nil {
		return failed(err)
	}
	if parts.selection.Why != "" {
		fmt.Fprintln(world.Stderr, parts.choiceLine())
	}
	defer parts.close()
	parts.warnOfAll(false)
	if prompt, err = (typedWords{parts}).ofFile(ctx, prompt); err != nil {
		return failed(err)
	}
	system := parts.start()
	client, err := system.Open(parts.conversation(actors.Policy{Coding: true}, kept))
	if err != nil {
		return failed(err)
	}
	runner := headless.Runner{Kept: kept.ID, Client: client, Form: headless.Form(opts.Output), Stdout: world.Stdout, Stderr: world.Stderr, Pictures: pictures, Together: terminal(world.Stdout) && terminal(world.Stderr)}
	result := runner.Run(ctx, prompt)
	if err := system.Stop(); err != nil && result.Err == "" {
		result.Err = err.Error()
	}
	if err := kept.Lost(); err != nil { // a script that continues it must know
		if result.Outcome == messages.Completed {
			result.Outcome = messages.Failed
		}
		result.Err = cmp.Or(result.Err, "keep the conversation: "+err.Error())
	}
	parts.sayLeft()
	if result.Stdout != nil && result.Err == "" {
		result.Err = "write the answer: " + result.Stdout.Error()
	}
	if result.Outcome == messages.Cancelled && result.Err == "" {
		result.Err = "cancelled"
		if cause := context.Cause(ctx); cause != nil {
			result.Err = "stopped by a signal"
		}
	}
	if opts.Ntfy != "" {
		if err := parts.announce(opts.Ntfy, result); err != nil {
			fmt.Fprintln(world.Stderr, err)
		}
	}
	return result
}
