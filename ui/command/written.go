package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
)

// What people wrote into files and ask for by a name: /NAME is a command, /skill:NAME a
// skill. Marvin's own commands are looked for first, so that no file hides one.

// Written is one of them.
type Written struct {
	Name        string // as it is typed, with its mark
	Hint        string // what may stand behind it
	Description string
}

// Asked is what becomes of one that was typed.
type Asked struct {
	Prompt messages.Prompt
	Said   string // for the person before it goes: what is odd about it
	Asks   string // the person is to agree by typing it again; Prompt is not to be sent
}

// ErrNotWritten means that nothing has the name.
var ErrNotWritten = errors.New("nothing is called like that")

// files are those in which people wrote commands.
type files struct{ *Env }

// help lists the commands, or tells all about one.
func (f files) help(name string) {
	if name == "" {
		f.say(List())
		f.list()
		return
	}
	text, ok := About(name)
	if !ok {
		f.warn(unknown("/" + strings.TrimLeft(name, "/!")))
		return
	}
	f.say(text)
}

// ask asks for what a line that is no command of Marvin's names.
func (f files) ask(line string) {
	word, rest := cutWord(line)
	if f.Host == nil { // a front end that has only the commands which need none
		f.warn(unknown(word))
		return
	}
	dir := f.Talk.Dir
	f.beside("look for "+word, func(ctx context.Context) func() {
		asked, err := f.Host.Ask(ctx, word[1:], rest, dir)
		var known []Written
		if errors.Is(err, ErrNotWritten) {
			known = f.Host.Written(ctx, dir)
		}
		return func() {
			switch {
			case errors.Is(err, ErrNotWritten):
				f.warn(unknown(word, known...))
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

// list adds to the help what people wrote.
func (f files) list() {
	if f.Host == nil {
		return
	}
	dir := f.Talk.Dir
	f.beside("list the commands", func(ctx context.Context) func() {
		all := f.Host.Written(ctx, dir)
		return func() {
			if len(all) > 0 {
				f.say("From files:\n" + rows(all))
			}
		}
	})
}

// rows is a table of them.
func rows(all []Written) string {
	width := 0
	for _, one := range all {
		width = max(width, min(40, len(one.Name)+1+len(one.Hint)))
	}
	lines := make([]string, len(all))
	for i, one := range all {
		lines[i] = strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, strings.TrimSpace(one.Name+" "+one.Hint), one.Description), " ")
	}
	return strings.Join(lines, "\n")
}
