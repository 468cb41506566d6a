package call

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/recorder"
	"marvin/messages"
	"marvin/persistence/audit"
	"marvin/persistence/spending"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// This file handles the end of a call.

var notBegun = callEnd{status: messages.Interrupted, text: "Error: cancelled by the user before it started. Nothing was done."}

// handleOutcome reports the outcome of a run. If the run failed because of the sandbox,
// handleOutcome can prepare a second run instead.
func (w *worker) handleOutcome(c actor.Context, message finished) {
	w.note(message.output)
	w.overheard = append(w.overheard, message.bound...)
	if message.output.Alarm != "" && !w.done {
		c.Send(c.Parent(), messages.Notice{Level: messages.Problem, Text: message.output.Alarm})
	}
	if errors.Is(message.err, tools.ErrHosts) && !w.done { // the sandbox cannot restrict hosts, so examine the command's text
		w.reset()
		w.judge(c)
		return
	}
	if !w.Mode.Person {
		warn(c, tools.HostNotices(w.call.Name, message.output.Refused))
	}
	if w.denial == nil && w.offerUnsandboxed(c, message) {
		return
	}
	if w.denial != nil {
		message.output.Text = secondRun + message.output.Text
	}
	if message.panic == nil && errors.Is(message.err, tools.ErrUnconfined) {
		w.handleUnconfined(c, message.err)
		return
	}
	if message.panic != nil {
		w.Config.Log.Error("tool panicked", "tool", w.call.Name, "reason", fmt.Sprint(message.panic.Reason), "stack", string(message.panic.Stack))
	}
	w.report(c, message.end(!w.begun.IsZero(), w.decoded.Timeout))
}

// end returns the outcome of a run. The status and the text tell the model why a run failed.
func (m finished) end(begun bool, limit time.Duration) callEnd {
	as := func(status messages.Status, last string) callEnd {
		text := m.output.Text
		if last != "" {
			text = join(text, last)
		}
		return callEnd{status: status, text: text, view: m.output.View, changed: m.effect}
	}
	switch {
	case m.panic != nil:
		return callEnd{status: messages.Crashed, text: fmt.Sprintf("Error: the tool crashed: %v. Its effect is unknown. Try another way.", m.panic.Reason)}
	case m.err == nil:
		return as(messages.OK, "")
	case errors.Is(m.cause, errInterrupted) && !begun:
		return notBegun
	case errors.Is(m.cause, errInterrupted):
		return as(messages.Interrupted, "Error: interrupted by the user while it ran; its effect is unknown.")
	case errors.Is(m.cause, tools.ErrDeadline):
		return as(messages.TimedOut, fmt.Sprintf("Error: timed out after %s. Ask for less at once, or, if the tool has a timeout, set a longer one.", limit))
	case errors.Is(m.err, tools.ErrDeadline): // the tool's own deadline, which the error names
		return as(messages.TimedOut, "Error: "+m.err.Error())
	case errors.Is(m.err, tools.ErrForbidden):
		return as(messages.Forbidden, "Error: "+m.err.Error())
	}
	return as(messages.ToolError, "Error: "+m.err.Error())
}

func join(text, last string) string {
	if text == "" {
		return last
	}
	return strings.TrimRight(text, "\n") + "\n" + last
}

// cancelCall ends a call at once if it has not begun. Otherwise it cancels the context of the call,
// and [worker.handleOutcome] later reports the end.
func (w *worker) cancelCall(c actor.Context) {
	if w.closing != nil {
		w.cancelHooks(ErrHooksLate)
		return
	}
	if !w.running() && w.denial != nil {
		w.report(c, w.keepSandboxed(""))
		return
	}
	if !w.running() {
		w.report(c, notBegun)
		return
	}
	w.cancel(errInterrupted)
}

// report completes the call after any ToolAfter hooks have run. It ignores all outcomes after the
// first.
func (w *worker) report(c actor.Context, end callEnd) {
	if w.done || w.closing != nil || w.tellEnd(c, end) {
		return
	}
	w.close(c, end)
}

// close sends the call's outcome to the turn and the recorder, and stops the worker.
func (w *worker) close(c actor.Context, end callEnd) {
	w.done = true
	status, text, view, changed := end.status, end.text, end.view, end.changed
	w.forgo(c, forgo{})
	w.cancelHooks(errInterrupted)
	defer w.quit(status == messages.OK, changed)
	changed.Spent, changed.Tainted = w.subAgents.spent(), w.subAgents.taintSource()
	tool, command := w.decoded.Tool, w.decoded.Command != nil
	w.overheard = append(w.overheard, w.subAgents.privateDirs()...)
	// Commands in the sandbox cannot see private directories.
	if rules := w.Config.Models.Private; len(rules) > 0 && (!command || !w.env(c, &Effect{}).Confines()) {
		w.overhear(rules, command, w.places, text, w.call.Args)
	}
	changed.Own = w.own && status == messages.OK
	changed.Origin = w.origin(tool, status, w.places)
	text = w.cleaned(w.call.Name, text)
	var to []tools.Destination
	if tool != nil && ToolRan(status) && (tool.Networked() || tool.Foreign() || w.strangers) {
		to = w.decoded.Destinations(w.env(c, &Effect{}))
	}
	w.recordAddresses(tool, status, text, to)
	took, exit, job := w.duration(w.Config.Now()), 0, ""
	said := inLine(status, text)
	if status == messages.OK {
		exit, job, said = w.exit, w.job, cmp.Or(w.summary, said)
	}
	whole := text + w.hookText()
	event := messages.ToolEnded{Call: w.call.ID, Name: w.call.Name, Status: status, Summary: tools.Visible(said), Text: whole, View: view, Took: took, Exit: exit, Job: job, Problems: changed.problems, Images: changed.shown}
	if w.begun.IsZero() && w.title != w.call.Name { // no earlier event told the user about the call
		event.Title, event.Command = w.title, w.decoded.FullCommand()
	}
	c.Send(w.Recorder, recorder.CallRecord{Counted: CountedName(w.Tools, w.Mode, w.call.Name), Call: audit.Call{
		Tool: w.call.Name, Args: w.call.Args, At: w.Config.Now(), Result: whole, Failed: status != messages.OK, Took: took,
	}})
	c.Send(c.Parent(), CallReport{
		Position: w.position, Effect: changed, Event: event,
		Result: messages.ToolResult{
			Call: w.call.ID, Name: w.call.Name, Text: w.framed(tool, status, text, to) + w.hookText(), Status: status, Exit: exit, Job: job, Pictures: changed.shown,
			Empty: w.empty && status == messages.OK && len(w.words) == 0,
		},
	})
	c.Stop(c.Self())
}

// inLine shortens a result to one line: the first line, or the second line if the first line ends
// with a colon.
func inLine(status messages.Status, text string) string {
	text = messages.Summary(status, text)
	line := FirstLine(text)
	_, rest, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	if status == messages.OK && strings.HasSuffix(line, ":") && strings.TrimSpace(FirstLine(rest)) != "" {
		return FirstLine(rest)
	}
	return line
}

func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	return line
}

func (w *worker) release(cause error) {
	w.cancelHooks(errInterrupted)
	w.quit(false, Effect{})
	w.end(cause)
	w.subAgents.end()
}

// CountedName returns the name of an existing tool unchanged, and [spending.Unknown] for every
// other name. The model can invent a name that contains a secret.
func CountedName(registry *toolbox.Registry, mode tools.Mode, name string) string {
	if _, there := registry.Lookup(name); there {
		return name
	}
	if _, there := toolbox.TryFind(registry, name, mode); there {
		return name
	}
	return spending.Unknown
}

// ToolRan returns false for a refused call. For all other calls, it assumes that the tool ran.
func ToolRan(status messages.Status) bool {
	return status != messages.Denied && status != messages.Forbidden
}
