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

// serve runs the conversation with a program that a person uses: requests come on
// standard input, events go to standard output.
func serve(ctx context.Context, world World, opts options) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	fail := func(err error) int {
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	}
	kept, err := kept(world, &opts, opts.asked())
	if err != nil {
		return fail(err)
	}
	parts, err := wire(world, opts)
	if err != nil {
		return fail(err)
	}
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	defer parts.close()
	parts.warnOfAll(true)
	system := parts.start()
	client, err := system.Open(parts.conversation(parts.personal(), kept))
	if err != nil {
		return fail(err)
	}
	server := rpc.Server{
		Client: client, In: world.Stdin, Out: world.Stdout, Marvin: version,
		Engine: func(front command.Front) *command.Engine { return parts.engine(client, front) },
	}
	err = server.Run(ctx)
	stopped := system.Stop()
	parts.sayLeft()
	switch {
	case errors.Is(err, syscall.EPIPE): // the client went away, which is its good right
		return 1
	case err != nil || stopped != nil:
		return fail(errors.Join(err, stopped))
	case ctx.Err() != nil:
		return 1
	}
	return 0
}
