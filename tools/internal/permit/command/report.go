package command

import (
	"fmt"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/text"
)

// Report describes the effects that are visible in the text of a shell line.
type Report struct {
	Parts   []Part
	Dangers []Danger
	Halfway []Halfway
	Unclear string // why the line cannot be judged, or ""
	Unread  string // why code in another language may start any program, or ""
	Opaque  string // why no rule may allow the line (redirections, assignments, …), or ""
	// ReadOnly is true if the line writes nothing and does not read the user's files outside the
	// working directory.
	ReadOnly bool
	sends    []Sending // destinations found in variables and non-shell code
	hidden   bool      // the line might run code that cannot be examined
}

// Part is one simple command.
type Part struct {
	Words []Word
	Root  bool // the command runs with changed privileges, as under sudo
	Inner bool // occurs in non-shell code, so it needs no rule that allows it
}

func (p Part) Text() string { return strings.Join(Texts(p.Words), " ") }

func (p Part) Literal() bool {
	return !slices.ContainsFunc(p.Words, func(w Word) bool { return w.unknown() || w.Glob })
}

// String returns the text of the part for display. It shows each hole as "…".
func (p Part) String() string { return strings.ReplaceAll(p.Text(), Hole, "…") }

// Harmless reports whether a part has no effect of its own.
func (p Part) Harmless() bool {
	switch p.Text() {
	case "true", "false", ":":
		return true
	}
	return false
}

func Texts(words []Word) []string {
	return lists.Map(words, func(word Word) string { return word.Text })
}

// A Danger describes a part that needs the user's approval. A rule allows the part only if the rule
// contains all words in Marks.
type Danger struct {
	Part  Part
	Why   string
	Marks []string // the dangerous words
	Try   string   // advice for the model, or "" for the usual advice
}

func (d Danger) String() string { return fmt.Sprintf("%s: %s", d.Why, Clip(d.Part.String())) }

func (d Danger) Instead() string {
	if d.Try != "" {
		return d.Try
	}
	return "Find a way to do this that can be undone."
}

func withoutRepeats(dangers []Danger) (list []Danger) {
	for _, danger := range dangers[:min(len(dangers), mostDanger)] {
		if !slices.ContainsFunc(list, func(d Danger) bool { return d.String() == danger.String() && slices.Equal(d.Marks, danger.Marks) }) {
			list = append(list, danger)
		}
	}
	return list
}

type findings struct {
	report Report
	closed bool // the line is opaque for a reason other than [printedRun]
}

// printedRun is a reason why a line is opaque.
const printedRun = "it runs what another command prints"

func (f *findings) unclear(format string, args ...any) {
	f.report.hidden = true
	f.markHelper(format, args...)
}

// markHelper marks a line as unclear because one of its programs starts another program. Unlike
// f.unclear, it does not mark the line as hidden, because the line's commands can be examined.
func (f *findings) markHelper(format string, args ...any) {
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

func (f *findings) danger(part Part, why string, marks ...string) {
	f.report.Dangers = append(f.report.Dangers, Danger{Part: part, Why: why, Marks: marks})
}

func Clip(command string) string { return text.Clip(command, 200) }
