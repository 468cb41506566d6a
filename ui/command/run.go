package command

import (
	"context"
	"errors"
	"io"
	"strings"

	"marvin/ui/conversation"
	"marvin/ui/transcript"
)

// remembered is the maximum size, in bytes, of a command's output in the history and in the next
// prompt.
const remembered = 8000

// mostReportedCommands is the maximum number of commands that one prompt reports to the model.
const mostReportedCommands = 5

// Lines contains the user's shell commands that the next prompt reports to the model.
type Lines struct {
	// Hide, if not nil, replaces secrets in the text that a model receives.
	Hide func(string) string

	ran []string // unreported commands, each followed by its output
}

type shell struct {
	*Env
	lines *Lines
}

// run executes a shell command without approval, because the user typed the command.
func (s shell) run(line string) {
	if line == "" {
		s.warn("Usage: !COMMAND runs a shell command, such as !git status. In shell mode (/sh) every line is a shell command.")
		return
	}
	dir, profile := s.Talk.Dir, s.Talk.Profile
	shown := s.Front.StartDisplay(line)
	var (
		printed *printed
		heard   io.Writer // nil if the front end shows output only after the command has ended
	)
	if shown != nil {
		printed = newPrinted()
		heard = printed
		s.follow(printed, shown)
	}
	s.start(&work{name: line, shell: true}, func(ctx context.Context) func() {
		if printed != nil {
			defer printed.end()
		}
		output, err := s.Host.Run(ctx, line, dir, heard)
		output = stripSequences(output)
		ran := CommandEnded{Output: strings.TrimRight(output, "\n"), Err: err, Cancelled: ctx.Err() != nil}
		output = ran.text(ran.Output)
		unwritten := s.Host.Remember(profile, "$ "+line, conversation.Head(output, remembered))
		return func() {
			if shown == nil {
				s.say("$ " + line + "\n" + output)
			} else {
				ran.Rest = ran.text(printed.rest())
				shown.End(ran)
			}
			s.wasRun(line, output, unwritten)
		}
	})
}

// text adds the command's error to the given output. If the command succeeded without output, the
// result is "(no output)".
func (r *CommandEnded) text(printed string) string {
	switch {
	case r.Err != nil:
		return strings.TrimLeft(printed+"\n["+r.Err.Error()+"]", "\n")
	case r.Output == "":
		return "(no output)"
	}
	return printed
}

func (s shell) wasRun(line, output string, unwritten error) {
	s.lines.tell("$ "+line, output)
	s.Talk.AddStep(transcript.Step{At: s.Now(), Role: "shell", Name: line, Text: conversation.Head(output, remembered)})
	if unwritten != nil {
		s.warn("Marvin could not add the command to the history: " + unwritten.Error())
	}
}

// tell remembers a command and the command's output for the next prompt.
func (l *Lines) tell(ran, output string) {
	l.ran = append(l.ran, ran+"\n"+conversation.Head(output, remembered))
	l.ran = l.ran[max(len(l.ran)-mostReportedCommands, 0):]
}

// open invokes the user's shell in the conversation's directory.
func (s shell) open(string) {
	err := s.Front.Suspend(func() error { return s.Host.Shell(s.Talk.Dir) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		s.warn("There is no terminal here for a shell. Run one command with !COMMAND, or switch to shell mode with /sh.")
	case err != nil:
		s.fail(err)
	}
}
