package call

import (
	"errors"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// If the sandbox may have made a command fail, the user can allow one run outside the sandbox. The
// question shows the command and its output, and the answer covers only this call.

// sandboxDenial holds the result and the start time of a run that the sandbox blocked.
type sandboxDenial struct {
	finished
	begun time.Time
}

const secondRun = "[The sandbox blocked the first run. The user let this one command run outside the sandbox; this is the output of that second run.]\n"

// mostSaid is the maximum size of the command output in a question, in bytes.
const mostSaid = 1500

// offerUnsandboxed asks whether the call may run again outside the sandbox, and reports whether it
// asked.
func (w *worker) offerUnsandboxed(c actor.Context, message finished) bool {
	ended := message.panic != nil || message.cause != nil || errors.Is(message.err, tools.ErrUnconfined)
	if !message.output.Held || ended || w.done || !w.Mode.Person || w.decoded.Confirm == nil {
		return false
	}
	inside := w.env(c, &Effect{})
	outside := inside
	if outside.Approved = true; !inside.Confines() || outside.Confines() || inside.Approval == messages.ApproveAll {
		// Do not ask if the first run was not confined, an approved run would be confined, or calls need
		// no approval.
		return false
	}
	w.denial = &sandboxDenial{finished: message, begun: w.begun}
	w.reset()
	_, detail := w.decoded.Confirm(inside)
	question := w.question("The sandbox blocked this command. Run it once OUTSIDE the sandbox?",
		detail+"\nOutside, the command has all your permissions. Marvin does not undo what the command did before it failed. Its output:\n"+theEnd(message.outcome()), true)
	question.Host = ""
	c.Request(w.Session, question)
	return true
}

// keepSandboxed returns the outcome of the first run. The user did not allow a second run.
func (w *worker) keepSandboxed(instead string) callEnd {
	w.begun = w.denial.begun
	end := callEnd{status: messages.OK, view: w.denial.output.View, changed: w.denial.effect}
	if w.denial.err != nil {
		end.status = messages.ToolError
	}
	end.text = join(w.denial.outcome(), "[The user was asked whether to run it outside the sandbox, and said no.]\n")
	if instead != "" {
		end.text += "The user wants this instead, in their own words: " + instead + "\n"
	}
	return end
}

// outcome returns the output of a run, followed by the error if the run failed.
func (m finished) outcome() string {
	if m.err != nil {
		return join(m.output.Text, "Error: "+m.err.Error())
	}
	return m.output.Text
}

// theEnd returns the last part of a command's output and makes invisible characters visible.
func theEnd(text string) string {
	text = strings.TrimRight(text, "\n")
	if len(text) > mostSaid {
		text = "… " + strings.ToValidUTF8(text[len(text)-mostSaid:], "")
	}
	return tools.Visible(text)
}
