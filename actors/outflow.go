package actors

import (
	"cmp"
	"net"
	"strings"

	"marvin/messages"
	"marvin/tools"
)

// A conversation's record for outgoing data: the hosts that the user named and the addresses seen
// on the network. tools/outflow.go decides whether a call may send.

// taint is by what strangers' words are in a conversation from its beginning.
func (p Policy) taint() string {
	if p.Delegated {
		return "the Marvin that started this one"
	}
	return ""
}

// typed records text the user typed. Prompts of sub-agents and of other Marvins are a model's text.
func (k *sessionState) typed(text string) {
	if policy := k.conversation.Policy; !policy.Agent && !policy.Delegated {
		k.known.AddPrompt(text)
	}
}

// ownWords are what the user typed of a prompt; "" if it is a model's.
func (k *sessionState) ownWords(prompt messages.Prompt) string {
	if policy := k.conversation.Policy; policy.Agent || policy.Delegated {
		return ""
	}
	return prompt.Typed()
}

// takeIn records who wrote a prompt: what the user typed names hosts, and what others wrote,
// or what is private, counts as read.
func (k *sessionState) takeIn(prompt messages.Prompt) {
	k.typed(prompt.Typed())
	k.known.AddOwn(prompt.OwnFile())
	k.tainted = cmp.Or(k.tainted, prompt.Foreign())
	if prompt.Parts != nil && prompt.Parts.Ran != "" { // programs print what others wrote
		k.tainted = cmp.Or(k.tainted, "what commands of the user printed")
	}
}

// withoutDefault is what the user typed of an answer: without the default, which the model wrote
// and a front end may have put into the line.
func withoutDefault(chosen messages.Chosen, question messages.Question) string {
	text := chosen.Text
	for _, word := range append(question.Default, question.Stated().Text) {
		if word != "" {
			text = strings.ReplaceAll(text, word, " ")
		}
	}
	return text
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

// unsent is the notice for a refused upload when no user could be asked.
func unsent(tool string, verdict tools.Verdict, person bool) []string {
	if verdict.Place == "" || person {
		return nil
	}
	return []string{tool + " was not run: " + strings.Join(verdict.Reasons, "; ") + ". A prompt or a rule that names " + verdict.Place + " lets it"}
}

// unreached is the notice for hosts that a command was not allowed to reach.
func unreached(tool string, hosts []string) (told []string) {
	for _, host := range hosts {
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		told = append(told, tool+" wanted to speak to "+tools.Visible(host)+", and was refused. A prompt or a rule that names "+tools.Visible(name)+" lets it")
	}
	return told
}

// leaves is the notice for data that leaves without a question, because every call is allowed.
func leaves(tool string, verdict tools.Verdict, tainted string) []string {
	if verdict.Place == "" {
		return nil
	}
	return []string{tool + " sends something to " + verdict.Place + " after " + cmp.Or(tainted, tools.SystemText) + " brought in untrusted or private text"}
}
