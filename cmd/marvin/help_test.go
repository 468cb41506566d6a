package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/helptext"
)

// The help of every command fits a terminal of 80 columns, with one line for each option.
func TestHelpFitsATerminal(t *testing.T) {
	var look func(args []string, command *flags.Command)
	look = func(args []string, command *flags.Command) {
		var out strings.Builder
		if _, _, done, err := parse(append(args, "--help"), &out); !done || err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		help, _, _ := strings.Cut(out.String(), "Examples:\n")
		for line := range strings.Lines(help) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > helptext.Width {
				t.Errorf("marvin %s --help is wider than %d columns: %s", strings.Join(args, " "), helptext.Width, line)
			}
		}
		for _, option := range command.Options() {
			about := helptext.First(option.Description)
			if !option.Hidden && (about == "" || !strings.Contains(out.String(), "  "+about+"\n")) {
				t.Errorf("marvin %s --help has no line for --%s with %q", strings.Join(args, " "), option.LongName, about)
			}
		}
		for _, below := range command.Commands() {
			if !below.Hidden {
				look(append(args[:len(args):len(args)], below.Name), below)
			}
		}
	}
	look(nil, newParser(&commands{}).Command)
}
