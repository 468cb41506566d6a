package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"syscall"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/live"
	"marvin/cmd/marvin/internal/talk"
	"marvin/messages"
	"marvin/persistence/projects"
	"marvin/ui/headless"
)

// runner is a command in [commands]. [cli.ExitCode] prints the error that Run returns.
type runner interface {
	Run(ctx context.Context, world cli.World, opts cli.Options) error
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, world cli.World) int {
	world.Version, world.Carry = version, carryCommand
	world.Dir = projects.RealDir(world.Dir) // os.Getwd may return $PWD, whose path may contain symbolic links
	out := &cli.ErrorWriter{To: world.Stdout}
	if _, file := world.Stdout.(*os.File); file && !cli.Terminal(world.Stdout) {
		world.Stdout = out
	}
	err := carryOut(ctx, args, world)
	if err == nil {
		err = out.Problem()
	}
	if err != nil && forOneAnswer(args) && !errors.As(err, new(cli.CostError)) && !errors.Is(err, cli.ErrReported) {
		err = cli.CostError{Result: headless.Result{Outcome: messages.Failed, Err: err.Error()}} // the caller expects the cost line
	}
	return cli.ExitCode(world, err)
}

// forOneAnswer reports whether args select non-interactive mode. Unlike parse(), it ignores invalid
// arguments.
func forOneAnswer(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return !wantsCommands(args) && (slices.Contains(args, "-n") || slices.Contains(args, "--non-interactive"))
}

func carryOut(ctx context.Context, args []string, world cli.World) error {
	command, opts, done, err := parse(args, world.Stdout)
	switch {
	case err != nil || done:
		return err
	case opts.Version:
		return versionCommand{}.Run(ctx, world, opts)
	case opts.DesignFirst:
		return errors.New("--design-first is not supported; in the prompt, describe the design that you want")
	}
	moveOldFiles(world, command)
	defer world.Places().Link() // the command might create the link's target
	world = world.DistrustDirs(opts)
	if command == nil && !opts.NonInteractive {
		return talk.Talk(ctx, world, opts)
	}
	ctx, hangUp := untilHangUp(ctx, command)
	defer hangUp()
	if command != nil {
		return command.Run(ctx, world, opts)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return talk.Answer(ctx, world, opts)
}

// moveOldFiles moves the user's directories from the locations that older versions of Marvin used.
// It does nothing for commands that only print built-in text.
func moveOldFiles(world cli.World, command runner) {
	switch command.(type) {
	case completionCommand, *completionCommand, manCommand, *manCommand, helpCommand, *helpCommand, versionCommand:
		return
	}
	for _, line := range world.Places().Settle() {
		fmt.Fprintln(world.Stderr, line)
	}
}

// untilHangUp returns a context that ends when the terminal is closed. A conversation started by
// "marvin start" continues without a terminal, so closing the terminal does not end its context.
func untilHangUp(ctx context.Context, command runner) (context.Context, context.CancelFunc) {
	if _, holds := command.(live.HoldCommand); holds {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}

// carryCommand runs one of Marvin's shell commands inside a conversation.
func carryCommand(ctx context.Context, world cli.World, args []string) error {
	command, opts, done, err := parse(args, world.Stdout)
	if err != nil || done || command == nil {
		return err
	}
	return command.Run(ctx, world, opts)
}

// chosen returns the active command, which is a field of c.
func (c *commands) chosen(active *flags.Command) (runner, error) {
	value, name := reflect.ValueOf(c).Elem(), "marvin"
	for ; active != nil; active = active.Active {
		name += " " + active.Name
		for _, field := range reflect.VisibleFields(value.Type()) {
			if field.Tag.Get("command") == active.Name {
				value = value.FieldByIndex(field.Index)
				break
			}
		}
	}
	command, ok := value.Interface().(runner)
	if !ok {
		return nil, fmt.Errorf("%s does nothing; to list the options, run marvin help", name)
	}
	return command, nil
}

// isCommand reports whether word names a command, visible or hidden.
func isCommand(word string) bool {
	return slices.ContainsFunc(reflect.VisibleFields(reflect.TypeFor[commands]()), func(field reflect.StructField) bool {
		return word != "" && field.Tag.Get("command") == word
	})
}

type versionCommand struct{}

func (versionCommand) Run(_ context.Context, world cli.World, _ cli.Options) error {
	fmt.Fprintln(world.Stdout, "marvin", version)
	return nil
}
