package talk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/host"
	"marvin/ui/command"
	"marvin/ui/rpc"
)

type RpcCommand struct{}

// Run reads requests from standard input and writes events to standard output.
func (RpcCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	kept, err := clisessions.StoredSession(world, &opts, opts.SelectsConversation())
	if err != nil {
		return err
	}
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	defer parts.Close()
	parts.WarnOfAll(true)
	parts.Reading.Begin(parts)
	system := parts.Start()
	client, err := system.Open(parts.Conversation(parts.Personal(), kept))
	if err != nil {
		return err
	}
	server := rpc.Server{
		Client: client, In: world.Stdin, Out: world.Stdout, Marvin: world.Version,
		Picture: host.PictureHost{App: parts}.Check,
		Engine:  func(front command.Front) *command.Engine { return host.Engine(parts, client, front) },
	}
	err = server.Run(ctx)
	stopped := system.Stop()
	parts.SayLeft()
	switch {
	case errors.Is(err, syscall.EPIPE): // the client no longer reads the output
		return cli.ErrReported
	case err != nil || stopped != nil:
		return errors.Join(err, stopped)
	case ctx.Err() != nil:
		return cli.ErrReported
	}
	return nil
}
