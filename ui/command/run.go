package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/ui/transcript"

	"marvin/messages"
)

// remembered is how much of a command's output goes into the history.
const remembered = 8000

// mostRan is how many commands the next prompt tells of.
const mostRan = 5

// Lines are commands of the person's own, of which the next prompt tells.
type Lines struct {
	// Hide takes keys out of what was printed, before a model reads it; nil for not.
	Hide func(string) string

	ran []string // with what they printed, which the model does not know of
}

// run runs a shell command of the person's own. Nobody is asked: they typed it.
func (e *Engine) run(line string) {
	if line == "" {
		e.warn("Usage: !COMMAND runs a shell command, such as !git status. !shell makes every line one.")
		return
	}
	dir, profile := e.Talk.Dir, e.Talk.Profile
	job := &work{name: line, shell: true}
	e.start(job, func(ctx context.Context) func() {
		output, err := e.Host.Run(ctx, line, dir)
		output = strings.TrimRight(output, "\n")
		if err != nil {
			output = strings.TrimLeft(output+"\n["+err.Error()+"]", "\n")
		} else if output == "" {
			output = "(no output)"
		}
		unwritten := e.Host.Remember(profile, "$ "+line, head(output, remembered))
		return func() { e.wasRun(line, output, unwritten) }
	})
}

func (e *Engine) wasRun(line, output string, unwritten error) {
	e.say("$ " + line + "\n" + output)
	tells(e, "$ "+line, output)
	e.Talk.Note(transcript.Step{At: e.Now(), Role: "shell", Name: line, Text: head(output, remembered)})
	if unwritten != nil {
		e.warn("The command is not in the history: " + unwritten.Error())
	}
}

// tells has the next prompt tell of what the person ran.
func tells(e *Engine, ran, output string) {
	e.Lines.ran = append(e.Lines.ran, ran+"\n"+head(output, remembered))
	e.Lines.ran = e.Lines.ran[max(len(e.Lines.ran)-mostRan, 0):]
}

func (e *Engine) toggleShell(string) {
	e.shellMode = !e.shellMode
	if e.shellMode {
		e.say("Shell mode ON 🐚: every line is a shell command. exit or !shell ends it.")
		return
	}
	e.say("Shell mode OFF")
}

// shell opens the person's own shell on the terminal.
func (e *Engine) shell(string) {
	err := e.Front.Suspend(func() error { return e.Host.Shell(e.Talk.Dir) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		e.warn("There is no terminal here for a shell. !COMMAND runs one command, !shell makes every line one.")
	case err != nil:
		e.fail(err)
	}
}

// longest is how many seconds can be recorded at once, and usual how many are if
// nobody says.
const (
	longest = 120
	usual   = 5
)

// voice takes what is said as a prompt.
func (e *Engine) voice(text string) {
	if e.Voice == nil {
		e.warn("voice input is not available: this Marvin was built without it. Type the prompt instead.")
		return
	}
	seconds := usual
	if text != "" {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > longest {
			e.warn(fmt.Sprintf("Usage: !v [SECONDS] records a prompt, 1 to %d seconds, %d if you do not say.", longest, usual))
			return
		}
		seconds = number
	}
	if e.Ready != nil {
		if err := e.Ready(); err != nil { // guard: U4: nobody speaks in vain
			e.warn("voice input is not available: " + err.Error())
			return
		}
	}
	e.say(fmt.Sprintf("🎤 Speak now: %d seconds.", seconds))
	e.beside("listen", func(ctx context.Context) func() {
		heard, err := e.Voice(ctx, seconds)
		return func() {
			switch heard = strings.TrimSpace(heard); {
			case ctx.Err() != nil && heard == "":
				e.say("Not recorded.")
			case err != nil:
				e.warn("voice input is not available: " + err.Error())
			case heard == "":
				e.warn("Nothing was heard. Try again, or type.")
			default:
				send(e, messages.Prompt{Text: heard})
			}
		}
	})
}
