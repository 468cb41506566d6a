package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/resources"
)

// version is set by the release build.
var version = "development"

func main() {
	resources.KeepMemory()
	resources.CollectLater(os.Getenv)
	home, _ := os.UserHomeDir() // if home is empty, Marvin works but stores nothing
	dir, _ := os.Getwd()
	// SIGPIPE is caught, not ignored. A write to a closed pipe fails with EPIPE, but child
	// processes start with the default action.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM) // SIGHUP: see carryOut
	defer stop()
	os.Exit(run(ctx, os.Args[1:], cli.World{
		Home: home, Dir: dir, Environ: os.Environ(), Getenv: os.Getenv, Now: time.Now,
		Stdin: os.Stdin, Stdout: cli.OutputStream(os.Stdout), Stderr: cli.OutputStream(os.Stderr),
	}))
}
