package command

import (
	"fmt"
	"slices"
	"strings"

	"marvin/tools/internal/text"
)

// Report is what a line of shell would do, as far as its text says.
type Report struct {
	Parts   []Part
	Dangers []Danger
	Halfway []Halfway
	Unclear string // why it could not be read; "" if it could
	Unread  string // what it runs that is no shell and may start any program; "" for nothing
	Opaque  string // what no rule may allow, although it can be read: redirections, assignments
	// ReadOnly says that no command of the line writes, sends or starts another program.
	ReadOnly bool
	sends    []Sending // addresses in programs of other languages
	hidden   bool      // it runs programs that cannot be read here
}

// Part is one simple command.
type Part struct {
	Words []Word
	Root  bool // behind sudo or its like
	Inner bool // what a program of another language runs: a rule that allows the program allows it
}

func (p Part) Text() string { return strings.Join(Texts(p.Words), " ") }

func (p Part) Literal() bool {
	return !slices.ContainsFunc(p.Words, func(w Word) bool { return w.unknown() || w.Glob })
}

// String is the part for people.
func (p Part) String() string { return strings.ReplaceAll(p.Text(), Hole, "…") }

// Harmless says that a part only steers the others.
func (p Part) Harmless() bool {
	switch p.Text() {
	case "true", "false", ":":
		return true
	}
	return false
}

func Texts(words []Word) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.Text
	}
	return list
}

// Danger is a part that always needs a person, or a rule that spells it out.
type Danger struct {
	Part  Part
	Why   string
	Marks []string // the words that make it one
	Try   string   // what to do instead; "" for the usual
}

func (d Danger) String() string { return fmt.Sprintf("%s: %s", d.Why, Clip(d.Part.String())) }

func (d Danger) Instead() string {
	if d.Try != "" {
		return d.Try
	}
	return "Find a way that can be undone."
}

// once are dangers without those that say the same again.
func once(dangers []Danger) (list []Danger) {
	for _, danger := range dangers[:min(len(dangers), mostDanger)] {
		if !slices.ContainsFunc(list, func(d Danger) bool { return d.String() == danger.String() && slices.Equal(d.Marks, danger.Marks) }) {
			list = append(list, danger)
		}
	}
	return list
}

// findings are the report of one line while it is read.
type findings struct {
	report Report
	closed bool // it is opaque for more than [printedRun]
}

// printedRun is why a line is opaque that runs text it reads.
const printedRun = "it runs what another command prints"

func (f *findings) unclear(format string, args ...any) {
	f.report.hidden = true
	f.helped(format, args...)
}

// helped says why a line is unclear whose programs can be read: one of them starts a helper.
func (f *findings) helped(format string, args ...any) {
	if f.report.Unclear == "" {
		f.report.Unclear = fmt.Sprintf(format, args...)
	}
}

func (f *findings) unread(format string, args ...any) {
	if f.report.Unread == "" {
		f.report.Unread = fmt.Sprintf(format, args...)
	}
}

func (f *findings) opaque(why string) {
	f.closed = f.closed || why != printedRun
	if f.report.Opaque == "" {
		f.report.Opaque = why
	}
}

// danger notes one.
func (f *findings) danger(part Part, why string, marks ...string) {
	f.report.Dangers = append(f.report.Dangers, Danger{Part: part, Why: why, Marks: marks})
}

func Clip(command string) string { return text.Clip(command, 200) }
