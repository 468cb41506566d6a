package plain

import (
	"strings"

	"marvin/messages"
	"marvin/ui/command"
)

// runningCommand shows a command's output while the command runs. The command line precedes the
// output.
type runningCommand struct {
	front front
	line  string
	begun bool
}

// Print is part of [command.CommandDisplay].
func (r *runningCommand) Print(lines string) { r.show(strings.TrimSuffix(lines, "\n")) }

// End is part of [command.CommandDisplay].
func (r *runningCommand) End(ran command.CommandEnded) {
	if ran.Rest != "" {
		r.show(ran.Rest)
	}
}

func (r *runningCommand) show(text string) {
	if !r.begun {
		r.begun = true
		r.front.Say(messages.Info, "$ "+r.line+"\n"+text)
		return
	}
	r.front.quote(text)
}
