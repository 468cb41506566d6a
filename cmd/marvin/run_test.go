package main

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/jessevdk/go-flags"

	"marvin/messages"
	"marvin/ui/headless"
)

// A command without a method run would be parsed, completed and documented, and do
// nothing.
func TestEveryCommandDoesSomething(t *testing.T) {
	var each func(top, command *flags.Command)
	each = func(top, command *flags.Command) {
		below := command.Commands()
		for _, next := range below {
			command.Active = next
			each(top, next)
			command.Active = nil
		}
		if len(below) > 0 {
			return
		}
		if _, err := new(commands).chosen(top); err != nil {
			t.Error(err)
		}
	}
	var all commands
	for _, top := range newParser(&all).Commands() {
		if !isCommand(top.Name) {
			t.Errorf("%s is no command when it is the first word", top.Name)
		}
		each(top, top)
	}
	if isCommand("") || isCommand("list") || isCommand("Tools") {
		t.Error("a word that names no command is one")
	}
}

func TestWhatAnErrorBecomes(t *testing.T) {
	const noCosts = "MARVIN_COST:{\"session_cost\":0,\"llm_turns\":0,\"model_turns\":{},\"model_cost\":{}}\n"
	for _, test := range []struct {
		err  error
		code int
		said string
	}{
		{nil, 0, ""},
		{errors.New("no such thing"), 1, "Error: no such thing\n"},
		{errTold, 1, ""},
		{fmt.Errorf("search: %w", errTold), 1, ""},
		{accounted{Result: headless.Result{Outcome: messages.Completed}}, 0, noCosts},
		{accounted{Result: headless.Result{Outcome: messages.Incomplete}}, 1, noCosts},
		{accounted{Result: headless.Result{Outcome: messages.Failed, Err: "no model"}}, 1, "Error: no model\n" + noCosts},
		{accounted{Result: headless.Result{Outcome: messages.Failed, Err: "write", Stdout: syscall.EPIPE}}, 1, noCosts},
	} {
		var stderr bytes.Buffer
		if code := exitCode(World{Stderr: &stderr}, test.err); code != test.code || stderr.String() != test.said {
			t.Errorf("%v: exit code %d, %q", test.err, code, stderr.String())
		}
	}
}
