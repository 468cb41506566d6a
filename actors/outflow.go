package actors

import (
	"strings"

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
	if policy := k.conversation.Policy; !policy.Agent && !policy.Delegated {
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

// unsent is what people are told of something that was not sent, where none of them could be
// asked.
func unsent(tool string, verdict tools.Verdict, person bool) []string {
	if verdict.Place == "" || person {
		return nil
	}
	return []string{tool + " was not run: " + strings.Join(verdict.Reasons, "; ") + ". A prompt or a rule that names " + verdict.Place + " lets it"}
}

// leaves is what people are told of what leaves unasked, because all runs unasked.
func leaves(tool string, verdict tools.Verdict, tainted string) []string {
	if verdict.Place == "" {
		return nil
	}
	return []string{tool + " sends something to " + verdict.Place + " after " + tainted + " brought in what strangers wrote or what is private"}
}
