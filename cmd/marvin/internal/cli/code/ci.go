package code

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
	"marvin/tools/background"
	"marvin/tools/github"
)

// CiCommand implements "marvin ci". The github_watch tool runs "marvin ci --watch".
type CiCommand struct {
	Watch bool   `long:"watch" description:"wait until a check fails or all finish"`
	Repo  string `long:"repo" value-name:"OWNER/NAME" description:"the repository, if not this one"`
	Args  struct {
		Ref string `positional-arg-name:"REF" description:"a pull request number, a branch or a commit"`
	} `positional-args:"yes"`
}

// A watch polls GitHub every ciPause. After a push, it waits at most ciEmpty for the first check.
const (
	ciPause = 15 * time.Second
	ciEmpty = 3 * time.Minute
)

func (c CiCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if opts.Output == "json" || opts.Output == "jsonl" {
		return errors.New("\"marvin ci\" writes only text; for JSON, use gh run list --json")
	}
	settings, err := world.Settings(cli.OpenHome(world))
	if err != nil {
		return err
	}
	world = world.WithPassEnv(settings)
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	env := tools.Env{Home: world.Home, Dir: dir, Environ: tools.Distrust(world.Environ, dir), Now: world.Now, Progress: func(string) {}}
	of := github.Watch{Repo: c.Repo, Ref: c.Args.Ref, Every: ciPause, Empty: ciEmpty, Say: func(line string) { fmt.Fprintln(world.Stdout, line) }}
	ask, mark := github.Checks, ""
	if c.Watch {
		ask, mark = github.Await, background.WatchOver
	}
	text, red, err := ask(ctx, env, of)
	if err != nil {
		return err
	}
	fmt.Fprintln(world.Stdout, mark+strings.TrimRight(text, "\n"))
	if red {
		return cli.ErrReported
	}
	return nil
}
