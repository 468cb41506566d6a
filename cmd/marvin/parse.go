package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jessevdk/go-flags"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/helptext"
)

// parse determines the command that the arguments name. The command is nil for a conversation or a
// single answer. If done is true, parse has printed help or completions.
func parse(args []string, stdout io.Writer) (command runner, opts cli.Options, done bool, err error) {
	if form := os.Getenv("GO_FLAGS_COMPLETION"); form != "" {
		return nil, opts, true, suggest(args, form, stdout)
	}
	var plain promptArgs
	var every commands
	var target any = &plain
	if wantsCommands(args) {
		target = &every
	}
	parser := newParser(target)
	rest, err := parser.ParseArgs(joinPrompts(args))
	var problem *flags.Error
	if errors.As(err, &problem) && problem.Type == flags.ErrHelp {
		helptext.Write(stdout, parser)
		if parser.Active == nil {
			fmt.Fprint(stdout, examples)
		}
		return nil, opts, true, nil
	}
	if err != nil {
		if problem != nil {
			err = cmp.Or(refuseMistyped(args, leading(args)), explainMisuse(problem, parser, args))
		}
		return nil, opts, false, err
	}
	if active := parser.Active; active != nil {
		if len(rest) > 0 {
			return nil, opts, false, locateMisuse(parser, args).surplus(rest)
		}
		command, err := every.chosen(active)
		return command, every.Options, false, errors.Join(err, every.CheckLimits(parser))
	}
	if err := refuseMistyped(args, plain.Args.Words); err != nil {
		return nil, opts, false, err
	}
	plain.Words = plain.Args.Words
	return nil, plain.Options, false, plain.CheckLimits(parser)
}
