package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/jessevdk/go-flags"
)

// everyCommand visits each visible command, with the words that name it.
func everyCommand(place *flags.Command, before []string, visit func(words []string, command *flags.Command)) {
	for _, below := range place.Commands() {
		if below.Hidden {
			continue
		}
		words := append(slices.Clone(before), below.Name)
		visit(words, below)
		everyCommand(below, words, visit)
	}
}

// refused returns the output for words that must be neither a prompt nor a command.
func refused(t *testing.T, words ...string) string {
	t.Helper()
	command, opts, done, err := parse(words, io.Discard)
	if err == nil {
		t.Errorf("marvin %s is no mistake: command %T, prompt %q, done %t", strings.Join(words, " "), command, opts.Words, done)
		return ""
	}
	return err.Error()
}

// swapped returns a word with its last two different letters exchanged.
func swapped(word string) string {
	letters := []byte(word)
	for i := len(letters) - 1; i > 0; i-- {
		if letters[i] != letters[i-1] {
			letters[i], letters[i-1] = letters[i-1], letters[i]
			break
		}
	}
	return string(letters)
}

func TestMistypedArgumentIsNeverAPrompt(t *testing.T) {
	seen := 0
	everyCommand(newParser(&commands{}).Command, nil, func(words []string, command *flags.Command) {
		seen++
		name, behind := "marvin "+strings.Join(words, " "), func(more ...string) []string { return append(slices.Clone(words), more...) }
		if said := refused(t, behind("--zzzz")...); !strings.Contains(said, name+" has no option --zzzz") {
			t.Errorf("%s --zzzz: %s", name, said)
		}
		for _, option := range allOptions(command) {
			if said := refused(t, behind("--"+swapped(option.LongName))...); !strings.Contains(said, "did you mean --"+option.LongName) {
				t.Errorf("%s --%s: %s", name, swapped(option.LongName), said)
			}
		}
		if len(command.Args()) == 0 {
			said := refused(t, behind("zzzz")...)
			if !strings.Contains(said, "there is no "+name+" zzzz") && !strings.Contains(said, name+" needs ") && !strings.Contains(said, name+` does not take "zzzz" (marvin help `) {
				t.Errorf("%s zzzz: %s", name, said)
			}
			refused(t, behind("zzzz", "--output", "json")...)
			refused(t, behind("--output", "json", "zzzz")...)
		}
		parent, last := words[:len(words)-1], swapped(words[len(words)-1])
		if len(parent) == 0 {
			return
		}
		if said := refused(t, append(slices.Clone(parent), last)...); !strings.Contains(said, "did you mean "+name) {
			t.Errorf("marvin %s %s: %s", parent, last, said)
		}
		if first := swapped(parent[0]); len(parent) == 1 && len(first) > 3 && first != parent[0] {
			if said := refused(t, first, words[1]); !strings.Contains(said, "did you mean: "+name+"? To ask the model: marvin -- "+first) {
				t.Errorf("marvin %s %s: %s", first, words[1], said)
			}
		}
	})
	if seen < 50 {
		t.Errorf("only %d commands were looked at", seen)
	}
}

func TestSentencesStayPrompts(t *testing.T) {
	for _, line := range []string{
		"what is the time", "help me write", "version control explained", "context switching costs what", "-- version zzzz",
		"model trains", "sesions are long", "list sessions", "--output json sesions", "tooling advice", "map",
	} {
		words := strings.Fields(line)
		command, opts, done, err := parse(words, io.Discard)
		if said := strings.Join(opts.Words, " "); err != nil || command != nil || done || said == "" || !strings.Contains(line, said) {
			t.Errorf("marvin %s: command %T, prompt %q, done %t, %v", line, command, said, done, err)
		}
	}
}

func TestWordsOfACommandThatIsNotThere(t *testing.T) {
	for line, want := range map[string]string{
		"version zzz":            `marvin version does not take "zzz" (marvin help version). To ask the model: marvin -- version zzz`,
		"version --plain zzz":    `marvin version does not take "zzz"`,
		"context lst":            `marvin context does not take "lst"`,
		"doctor jobs":            `marvin doctor does not take "jobs"`,
		"log follow":             `marvin log does not take "follow"; did you mean --follow? (marvin help log)`,
		"mcp serve stdio":        `marvin mcp serve does not take "stdio" (marvin help mcp serve)`,
		"sesions list --older 3": "did you mean: marvin sessions list?",
		"docter --jsno":          "there is no command docter; did you mean: marvin doctor?",
		"completion fsh":         "choose bash, zsh or fish",
		"login opnai":            "did you mean openai",
		"tool nwe x":             "did you mean: marvin tool new?",
		"tool zzzzqqq":           "To find a tool by its purpose, type marvin tools WORD",
		"config set theem nord":  "(did you mean \"theme\"?)",
		"permissions explan ls":  "did you mean marvin permissions explain?",
		"hooks test turn.strat":  "did you mean turn.start",
	} {
		output, asked := shellLine(t, "", strings.Fields(line)...)
		if !strings.Contains(output, want) || asked > 0 {
			t.Errorf("marvin %s asked %d times and says %.300q, want %q", line, asked, output, want)
		}
	}
}
