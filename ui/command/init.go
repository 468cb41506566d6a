package command

import (
	"context"
	"fmt"
	"strings"
)

// Survey is a draft of an AGENTS.md for a repository.
type Survey struct {
	Path string // the path at which the file would be created
	Text string
	Try  []string // the project's commands for building, testing and checking
}

// firstWords is the state of /init in one directory.
type firstWords struct {
	dir    string
	seen   string            // Path + Text of the last Survey that was shown
	tried  map[string]string // result of each tried command, as text for the draft
	trying bool
}

type survey struct {
	*Env
	first *firstWords
}

// take executes /init: it shows a draft of AGENTS.md, tries the draft's commands, or writes the
// file. It tries or writes a draft only if the user has seen the draft. It never replaces an
// existing file.
func (s survey) take(word string) {
	if word != "" && word != "write" && word != "test" {
		s.warn("Usage: /init shows a draft of AGENTS.md, /init test tries the commands in the draft, /init write creates the file.")
		return
	}
	if s.first.trying {
		s.warn("/init test is still running; Ctrl-C stops it.")
		return
	}
	dir := s.Talk.Dir
	if s.first.dir != dir {
		*s.first = firstWords{dir: dir}
	}
	seen, tried := s.first.seen, s.first.tried
	s.runOutside("look at the repository", func(ctx context.Context) func() {
		found, err := s.Host.Survey(ctx, dir, tried)
		known := seen == found.Path+found.Text
		if err == nil && word == "write" && known {
			_, err = s.Host.Write(found.Path, dir, []byte(found.Text))
			return s.outcome(err, "Written: "+found.Path+". Now add project facts that no other file contains.")
		}
		return func() {
			switch {
			case err != nil:
				s.fail(err)
			case word == "test" && known && len(found.Try) > 0:
				s.first.trying, s.first.tried = true, map[string]string{}
				s.try(dir, found.Try, 0)
			default:
				s.show(found, word)
			}
		}
	})
}

// show sends the draft to the front end. It also asks the user to type the command again if the
// user typed "write" or "test" before this draft was shown.
func (s survey) show(found Survey, word string) {
	s.first.seen = found.Path + found.Text
	next := ""
	if word == "write" {
		next = " The text has changed since you saw it; read it, and type the command again."
	}
	switch {
	case len(found.Try) > 0 && word == "test":
		next = fmt.Sprintf(" Nothing has run yet. Type /init test again to run each of the build and test commands (%s) for at most 2 minutes, in the same sandbox and under the same permission rules as the model's commands.", strings.Join(found.Try, ", "))
	case word == "test":
		next = " No build or test commands were found."
	case len(found.Try) > 0 && len(s.first.tried) == 0:
		next += fmt.Sprintf(" You can first type /init test to run each of the build and test commands (%s) for at most 2 minutes, in the same sandbox and under the same permission rules as the model's commands.", strings.Join(found.Try, ", "))
	}
	s.say(found.Text + "\nThis would be the content of " + found.Path + ". Type /init write to create the file." + next)
}

// try executes the commands in lines[at:], and then shows the draft, which now contains the
// results. The user sees which command is running and can cancel it.
func (s survey) try(dir string, lines []string, at int) {
	if at == len(lines) {
		s.first.trying = false
		s.take("")
		return
	}
	line, mode := lines[at], s.Talk.Approval
	s.say(fmt.Sprintf("Trying %s (%d of %d) …", line, at+1, len(lines)))
	s.runOutside("try "+line, func(ctx context.Context) func() {
		became, last := s.Host.Try(ctx, dir, line, mode)
		return func() {
			s.first.tried[line] = became
			s.say(strings.TrimSpace(line + ": " + became + "\n" + last))
			next := at + 1
			if ctx.Err() != nil { // canceling one command cancels the rest
				next = len(lines)
			}
			s.try(dir, lines, next)
		}
	})
}
