package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// run is the program. Tests call it, or the binary.
func run(ctx context.Context, args []string, world World) int {
	opts, command, done, err := parse(args, world.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(world.Stderr, "Error:", err)
		return 1
	case done:
		return 0
	case opts.Version:
		fmt.Fprintln(world.Stdout, "marvin", version)
		return 0
	case opts.DesignFirst:
		fmt.Fprintln(world.Stderr, "Error: --design-first is not supported; describe the design you want in the prompt")
		return 1
	}
	world = world.distrusting(opts.options)
	if about, ok := strings.CutPrefix(command, "sessions "); ok {
		return sessions(world, about, opts)
	}
	switch command {
	case "tools":
		return listTools(world, opts.Tools)
	case "tool":
		return runTool(ctx, world, opts.Tool)
	case "batch":
		return runBatch(ctx, world, opts.options, opts.Batch)
	case "rpc":
		return serve(ctx, world, opts.options)
	case "permissions explain":
		return explainPermission(world, opts.options, opts.Permission.Explain)
	case "permissions try":
		return tryRules(world, opts.options, opts.Permission.Try)
	case "doctor":
		return doctor(ctx, world, opts.options)
	case "ring-alarm":
		return ring(ctx, world, opts.Ring.Args.Label)
	case "completion":
		return completion(world, string(opts.Completion.Args.Shell))
	case "man":
		return manual(world)
	case "help":
		return help(world, opts.Help.Args.Topic)
	case "version":
		fmt.Fprintln(world.Stdout, "marvin", version)
		return 0
	}
	if !opts.NonInteractive {
		return talk(ctx, world, opts.options)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return answer(ctx, world, opts.options)
}
