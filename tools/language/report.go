package language

import (
	"fmt"
	"path/filepath"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Limits on the problems that are reported.
const (
	mostOfFile  = 20
	mostLines   = 60
	mostProblem = 300 // in bytes
)

// Findings combines all servers' reports about a change.
type Findings struct {
	Problems []messages.CodeProblem
	Others   []messages.CodeProblem
	Fresh    bool
	Late     []string // servers that did not finish in time
	Files    []messages.FileProblems
}

// Add adds the report from one server.
func (f *Findings) Add(server string, report Report) {
	f.Problems = append(f.Problems, report.Problems...)
	f.Others = append(f.Others, report.Others...)
	f.Fresh = f.Fresh || report.Fresh
	for _, file := range report.Files {
		f.Files = append(f.Files, messages.FileProblems{Path: tools.Visible(file.Path), Server: file.Server, Problems: shownOf(file.Problems)})
	}
	if report.Late {
		f.Late = append(f.Late, server)
	}
}

// shownOf takes all problems in one file, and returns those that front ends show. The result is
// never nil.
func shownOf(list []messages.CodeProblem) []messages.CodeProblem {
	return append([]messages.CodeProblem{}, limited(list)...)
}

// AddSyntax adds the syntax errors that Marvin finds without a language server.
func (f *Findings) AddSyntax(files []File, top string) {
	f.Problems = append(f.Problems, syntax(files, top)...)
	for _, file := range files {
		name, err := filepath.Rel(top, file.Path)
		if err != nil || !syntaxKnown(file.Path) && file.Content != nil {
			continue
		}
		is := messages.FileProblems{Path: tools.Visible(filepath.ToSlash(name)), Problems: []messages.CodeProblem{}}
		if file.Content != nil {
			is.Server, is.Problems = "syntax", shownOf(syntax([]File{file}, top))
		}
		f.Files = append(f.Files, is)
	}
}

// All returns the problems that front ends show.
func (f Findings) All() []messages.CodeProblem {
	all := append(limited(f.Problems), limited(f.Others)...)
	return all[:min(len(all), mostLines)]
}

func limited(list []messages.CodeProblem) (kept []messages.CodeProblem) {
	count := map[string]int{}
	for _, one := range list {
		if count[one.Path]++; count[one.Path] <= mostOfFile {
			one.Path, one.Text, one.Source, one.Code = tools.Visible(one.Path), tools.Visible(one.Text), tools.Visible(one.Source), tools.Visible(one.Code)
			kept = append(kept, one)
		}
	}
	return kept
}

// Text returns the findings as a note for the model, or "" if there are none.
func (f Findings) Text() string {
	var lines []string
	if len(f.Problems) > 0 {
		lines = append(lines, fmt.Sprintf("Problems now (%s):", counted(f.Problems)))
		lines = append(lines, reportLines(f.Problems)...)
	}
	if len(f.Others) > 0 {
		head := "Problems in other files since this change:"
		if f.Fresh {
			head = "Problems in other files (some may be older than this change):"
		}
		lines = append(lines, head)
		lines = append(lines, reportLines(f.Others)...)
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], fmt.Sprintf("[%d more]", len(lines)-mostLines+1))
	}
	if len(f.Late) > 0 {
		lines = append(lines, fmt.Sprintf("[%s: not everything is checked yet; more findings will come with a later message]", strings.Join(f.Late, ", ")))
	}
	return strings.Join(lines, "\n")
}

func counted(list []messages.CodeProblem) string {
	bad := 0
	for _, one := range list {
		if one.Severity == messages.SeverityError {
			bad++
		}
	}
	return fmt.Sprintf("errors: %d, warnings: %d", bad, len(list)-bad)
}

func reportLines(list []messages.CodeProblem) (lines []string) {
	kept := limited(list)
	lines = lists.Map(kept, line)
	if left := len(list) - len(kept); left > 0 {
		lines = append(lines, fmt.Sprintf("[%d more]", left))
	}
	return lines
}

func line(one messages.CodeProblem) string {
	where := fmt.Sprintf("%s:%d", one.Path, one.Line)
	if one.Column > 0 {
		where += fmt.Sprintf(":%d", one.Column)
	}
	by := strings.TrimSpace(one.Source + " " + one.Code)
	if by != "" {
		by = " (" + by + ")"
	}
	return fmt.Sprintf("%s: %s: %s%s", where, one.Severity, text.ClipBytes(one.Text, mostProblem), by)
}
