package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"marvin/ui/command"
	"marvin/ui/rpc"
)

type rpcCommand struct{}

// Run talks with a program that a person uses: requests come on standard input, events
// go to standard output.
func (rpcCommand) Run(ctx context.Context, world World, opts options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	kept, err := kept(world, &opts, opts.asked())
	if err != nil {
		return err
	}
	parts, err := wire(world, opts)
	if err != nil {
		return err
	}
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	defer parts.close()
	parts.warnOfAll(true)
	parts.reading.begin(parts)
	system := parts.start()
	client, err := system.Open(parts.conversation(parts.personal(), kept))
	if err != nil {
		return err
	}
	server := rpc.Server{
		Client: client, In: world.Stdin, Out: world.Stdout, Marvin: world.Version,
		Picture: showing{parts}.checked,
		Engine:  func(front command.Front) *command.Engine { return engineOf(parts, client, front) },
	}
	err = server.Run(ctx)
	stopped := system.Stop()
	parts.sayLeft()
	switch {
	case errors.Is(err, syscall.EPIPE): // the client went away, which is its good right
		return errTold
	case err != nil || stopped != nil:
		return errors.Join(err, stopped)
	case ctx.Err() != nil:
		return errTold
	}
	return nil
}
