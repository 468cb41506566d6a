package talk

import (
	"context"
	"errors"
	"fmt"
	"io"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/messages"
	"marvin/ui"
)

type ContextCommand struct{}

// Run prints the context window of a new conversation. With -c or --session, Run prints the context
// window of the stored conversation. Run makes no request to a model.
func (ContextCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin context\" writes text, or JSON with --output json")
	}
	var log *actors.StoredSession
	if opts.SelectsConversation() {
		var err error
		opts.Looking = true
		if log, err = clisessions.StoredSession(world, &opts, true); err != nil {
			return err
		}
	}
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	defer parts.Close()
	policy := parts.Personal()
	policy.Coding, policy.Persist = true, false
	conversation := parts.Conversation(policy, log)
	system := parts.Start()
	client, err := system.Open(conversation)
	if err != nil {
		return errors.Join(err, system.Stop())
	}
	client.Send(messages.ShowContext{})
	shown, err := waitForContext(ctx, client)
	if err = errors.Join(err, system.Stop()); err != nil {
		return err
	}
	if opts.Output == "json" {
		return cli.WriteLine(world, shown)
	}
	_, err = fmt.Fprintln(world.Stdout, ui.ContextTable(shown.Parts))
	return err
}

func waitForContext(ctx context.Context, client *actors.Client) (messages.ContextShown, error) {
	for {
		envelopes, err := client.Next(ctx)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the conversation ended before it reported its context window")
			}
			return messages.ContextShown{}, err
		}
		for _, envelope := range envelopes {
			switch event := envelope.Event.(type) {
			case messages.ContextShown:
				return event, nil
			case messages.Notice:
				if event.Level == messages.Problem {
					return messages.ContextShown{}, errors.New(event.Text)
				}
			default: // other startup events
			}
		}
	}
}
