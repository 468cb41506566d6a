package actors

import (
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// What a conversation does about data that leaves: it keeps the places that the person
// named and the addresses that the network gave. Whether a call may send something is
// decided in tools/outflow.go.

// taint is by what strangers' words are in a conversation from its beginning.
func (p Policy) taint() string {
	if p.Delegated {
		return "the Marvin that started this one"
	}
	return ""
}

// hears notes what the person wrote. The prompts of sub-agents are a model's words.
func (k *sessionState) hears(prompt string) {
	if policy := k.conversation.Policy; !policy.Agent && !policy.Delegated { // guard: a Marvin of a model names no host
		k.trail.Say(prompt)
	}
}

// showing adds to a question what would leave, and where to. That of a command shows all
// of it already.
func showing(verdict tools.Verdict, title, detail string, command bool) (string, string) {
	if verdict.Host == "" || command {
		return title, detail
	}
	return "Send this to " + verdict.Host + "?",
		tools.Visible(verdict.Payload) + "\nalways lets everything be sent to " + verdict.Host + " in this conversation."
}

// held tells people that something was not sent, where none of them could be asked.
func (w *worker) held(c actor.Context, verdict tools.Verdict) {
	if verdict.Place != "" && !w.mode.Person {
		c.Send(c.Parent(), messages.Notice{
			Level: messages.Warning,
			Text:  w.call.Name + " was not run: " + strings.Join(verdict.Reasons, "; ") + ". A prompt or a rule that names " + verdict.Place + " lets it",
		})
	}
}

// sent tells people what left unasked, because all runs unasked.
func (w *worker) sent(c actor.Context, verdict tools.Verdict) {
	if verdict.Place != "" {
		c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: w.call.Name + " sends something to " + verdict.Place + " after " + w.tainted + " brought in what strangers wrote or what is private"})
	}
}

// passed notes that somebody let the addresses of the call be asked for.
func (w *worker) passed(c actor.Context) {
	for _, to := range w.decoded.Destinations(w.env(c, &effect{})) {
		w.trail.Pass(to.Address)
	}
}

// cleaned is a result within its limits, without what nobody sees in words of strangers,
// or with a word about that where the text is one that may be written back.
func (w *worker) cleaned(text string) string {
	tool, known := w.tools.Lookup(w.call.Name)
	if known && tool.Foreign() {
		text = tools.Unhidden(text) // guard: hidden text of strangers is taken out
	}
	text, _ = tools.ResultLimits.Cut(text)
	if known && tool.Untrusted() && !tool.Foreign() {
		text = tools.Marked(text) // guard: hidden text of files is marked
	}
	return text
}

// framed is what the model reads of a result. People read it as it is.
func (w *worker) framed(c actor.Context, status messages.Status, text string) string {
	tool := w.decoded.Tool
	if tool == nil || !tool.Foreign() && !w.strangers || status != messages.OK {
		return text
	}
	source := ""
	for _, to := range w.decoded.Destinations(w.env(c, &effect{})) {
		source = tools.Visible(to.Address)
	}
	return messages.Frame(source[:min(len(source), 200)], text) // guard: words of strangers are framed
}

// noted keeps the addresses in what the network answered.
func (w *worker) noted(c actor.Context, status messages.Status, text string) {
	if tool := w.decoded.Tool; tool != nil && tool.Networked() && itsOwn(status) {
		w.trail.Hear(text, w.call.Args, w.decoded.Destinations(w.env(c, &effect{})))
	}
}
