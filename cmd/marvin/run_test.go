package main

import (
	"testing"

	"github.com/jessevdk/go-flags"
)

// A command without a Run method would be parsed, completed and documented, but do nothing.
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
