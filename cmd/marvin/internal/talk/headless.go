package talk

import (
	"cmp"
	"context"
	"fmt"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/messages"
	"marvin/ui/headless"
)

// Answer runs one prompt and writes the answer to stdout. If the prompt can be read, Answer returns
// a [cli.CostError], even on success.
func Answer(ctx context.Context, world cli.World, opts cli.Options) error {
	prompt, err := cli.ReadPrompt(opts, world.Stdin)
	if err != nil {
		return err
	}
	return cli.CostError{Result: RunPrompt(ctx, world, opts, prompt), Asked: opts.Output != "text"}
}

func RunPrompt(ctx context.Context, world cli.World, opts cli.Options, prompt messages.Prompt) headless.Result {
	failed := func(err error) headless.Result {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	pictures, err := pictures.FromOptions(opts, world)
	if err != nil {
		return failed(err)
	}
	kept, err := clisessions.StoredSession(world, &opts, false)
	if err != nil {
		return failed(err)
	}
	if kept == nil && !opts.NoSession {
		kept = clisessions.StoreAnswer(world, opts)
	}
	parts, err := app.New(world, opts)
	if err != nil {
		return failed(err)
	}
	if parts.Selection.Why != "" {
		fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	}
	defer parts.Close()
	parts.WarnOfAll(false)
	if prompt, err = host.ExpandPrompt(ctx, parts, prompt); err != nil {
		return failed(err)
	}
	system := parts.Start()
	client, err := system.Open(parts.Conversation(actors.Policy{Coding: true}, kept))
	if err != nil {
		return failed(err)
	}
	runner := headless.Runner{Kept: kept.ID, Client: client, Form: headless.Form(opts.Output), Stdout: world.Stdout, Stderr: world.Stderr, Pictures: pictures, Together: cli.Terminal(world.Stdout) && cli.Terminal(world.Stderr)}
	result := runner.Run(ctx, prompt)
	if err := system.Stop(); err != nil && result.Err == "" {
		result.Err = err.Error()
	}
	if err := kept.LossError(); err != nil { // a script might continue the incomplete conversation
		if result.Outcome == messages.Completed {
			result.Outcome = messages.Failed
		}
		result.Err = cmp.Or(result.Err, "keep the conversation: "+err.Error())
	}
	parts.SayLeft()
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
		if err := parts.Announce(opts.Ntfy, result); err != nil {
			fmt.Fprintln(world.Stderr, err)
		}
	}
	return result
}
