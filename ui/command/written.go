package command

import (
	"context"
	"errors"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

// This file runs commands and skills that are stored in files. The user types /NAME for a command
// and /skill:NAME for a skill. Marvin's own commands take precedence over commands in files.

// Submission is the result of [Host.Ask].
type Submission struct {
	Prompt messages.Prompt
	Said   string // warnings to show before the prompt
	Asks   string // shown to the user; if not "", Prompt is not sent
}

// ErrNotWritten means that no command file, skill or MCP prompt has the given name.
var ErrNotWritten = errors.New("no command or skill has that name")

type fileCommands struct {
	*Env
	act func(slash.Verb) func(string)
}

// help describes the named command, or lists all commands if the name is "".
func (f fileCommands) help(name string) {
	if name == "" {
		f.say(slash.List())
		f.listCommands("")
		return
	}
	text, ok := slash.HelpFor(name)
	if hint := slash.Hinted("/" + strings.TrimLeft(name, "/!")); !ok && hint != "" {
		text, ok = hint, true
	}
	if !ok {
		f.warn(slash.NotFound("/" + strings.TrimLeft(name, "/!")))
		return
	}
	f.say(text)
}

// ask executes a command or skill from a file and submits the resulting prompt.
func (f fileCommands) ask(line string) {
	word, rest := slash.CutWord(line)
	if f.Host == nil { // without a host there are no commands from files
		f.runMeant(word, rest)
		return
	}
	dir := f.Talk.Dir
	f.runOutside("look for "+word, func(ctx context.Context) func() {
		asked, err := f.Host.Ask(ctx, word[1:], rest, dir)
		var known []slash.WrittenCommand
		if errors.Is(err, ErrNotWritten) {
			known = f.Host.ListWritten(ctx, dir)
		}
		return func() {
			switch {
			case errors.Is(err, ErrNotWritten):
				f.runMeant(word, rest, known...)
			case err != nil:
				f.fail(err)
			case asked.Asks != "":
				f.say(asked.Asks)
			default:
				if asked.Said != "" {
					f.say(asked.Said)
				}
				f.Front.Submit(asked.Prompt)
			}
		}
	})
}

// runMeant handles an unknown command. If another assistant uses the name, runMeant runs the
// corresponding command of Marvin or shows a hint. For all other names, it reports that there is no
// such command.
func (f fileCommands) runMeant(word, rest string, known ...slash.WrittenCommand) {
	if entry, ok := slash.FindMeant(word); ok {
		f.act(entry.Verb)(rest)
		return
	}
	if hint := slash.Hinted(word); hint != "" {
		f.say(hint)
		return
	}
	f.warn(slash.NotFound(word, known...))
}

func (f fileCommands) skills(string) {
	f.listCommands("There are no commands or skills here. Commands are files in .marvin/commands or ~/.config/marvin/commands, and skills are files in .marvin/skills or ~/.config/marvin/skills; to read how to write them, run marvin help instructions.")
}

// listCommands prints the result of [Host.ListWritten], or the given notice if the result is empty.
func (f fileCommands) listCommands(notice string) {
	if f.Host == nil {
		return
	}
	dir := f.Talk.Dir
	f.runOutside("list the commands", func(ctx context.Context) func() {
		all := f.Host.ListWritten(ctx, dir)
		return func() {
			switch {
			case len(all) > 0:
				f.say("From files:\n" + rows(all))
			case notice != "":
				f.say(notice)
			}
		}
	})
}

func rows(all []slash.WrittenCommand) string {
	lines := make([]string, len(all))
	for i, one := range all {
		lines[i] = slash.FormatRow(strings.TrimSpace(one.Name+" "+one.Hint), one.Description)
	}
	return strings.Join(lines, "\n")
}
