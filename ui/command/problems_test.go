package command_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// edited is the input of the user's editor.
var edited string

// editorChanged is the result of the user's edits.
var editorChanged string

func (d disk) EditAt(path, dir string, line int) (string, error) {
	edited = fmt.Sprintf("%s:%d", path, line)
	return editorChanged, nil
}

func TestProblemsAreListedAndOpened(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	take := func(line string) string {
		before := len(d.said)
		d.engine.Take(line)
		return strings.Join(d.said[before:], "\n")
	}
	if got := take("/problems"); !strings.Contains(got, "No problems are known") {
		t.Errorf("of none it says %q", got)
	}
	list := []messages.CodeProblem{{Path: "a.go", Line: 7, Severity: messages.SeverityError, Text: "undefined: \x1b[2Jb"}, {Path: "a.go", Line: 9, Severity: messages.SeverityWarning, Text: "unused"}}
	d.engine.Talk.Apply(messages.Envelope{Event: messages.Diagnosed{Files: []messages.FileProblems{{Path: "a.go", Server: "gopls", Problems: list}}}})
	got := take("/problems")
	if !strings.Contains(got, "a.go (2 in this file)\n  1. a.go:7: error: undefined: ") || !strings.Contains(got, "  2. a.go:9: warning: unused\n") || strings.Contains(got, "\x1b") {
		t.Errorf("it lists %q", got)
	}
	if got := take("/problems 3"); !strings.Contains(got, "NUMBER is from 1 to 2") {
		t.Errorf("of another number it says %q", got)
	}
	if take("/problems 2"); edited != "a.go:9" {
		t.Errorf("the editor got %q", edited)
	}
}
