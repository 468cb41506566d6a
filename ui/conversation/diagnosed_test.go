package conversation_test

import (
	"testing"

	"marvin/messages"
)

func TestProblemsAreThoseOfNow(t *testing.T) {
	list := func(path string, texts ...string) (all []messages.CodeProblem) {
		for i, text := range texts {
			all = append(all, messages.CodeProblem{Path: path, Line: 9 - i, Severity: messages.SeverityError, Text: text})
		}
		return all
	}
	s := told(
		messages.Diagnosed{Servers: []string{"gopls"}},
		messages.Diagnosed{Servers: []string{"gopls"}, Files: []messages.FileProblems{{Path: "b.go", Server: "gopls", Problems: list("b.go", "two", "one")}, {Path: "a.go", Server: "gopls", Problems: list("a.go", "x")}}},
		messages.Diagnosed{Servers: []string{"gopls", "lint"}, Files: []messages.FileProblems{{Path: "b.go", Server: "lint", Problems: list("b.go", "dull")}}},
	)
	if got := s.Diagnosed.Status(); got != "gopls lint 4 problems" {
		t.Errorf("the status is %q", got)
	}
	if all := s.Diagnosed.Problems(); len(all) != 4 || all[0].Path != "a.go" || all[1].Text != "one" || s.Diagnosed.Count("b.go") != 3 {
		t.Errorf("%+v", all)
	}
	for _, step := range []struct {
		file messages.FileProblems
		left int
	}{
		{messages.FileProblems{Path: "b.go", Server: "gopls"}, 2},     // fixed, according to this server
		{messages.FileProblems{Path: "other.go", Server: "gopls"}, 2}, // never had problems
		{messages.FileProblems{Path: "a.go"}, 1},                      // the file is gone
		{messages.FileProblems{Path: "b.go", Server: "lint"}, 0},
	} {
		s.Apply(messages.Envelope{At: start, Event: messages.Diagnosed{Files: []messages.FileProblems{step.file}}})
		if got := s.Diagnosed.Count(""); got != step.left {
			t.Errorf("behind %+v there are %d", step.file, got)
		}
	}
	if got := s.Diagnosed.Status(); got != "" {
		t.Errorf("the status is %q", got)
	}
}
