package call

import (
	"cmp"
	"strings"

	"marvin/tools"
)

// What a conversation remembers about hosts: those that the user named, and the addresses that came
// from the network. The file tools/outflow.go decides whether a call may send data.

// withPayload returns the title and the detail of a question, with the data that would be sent and the
// destination. The question about a command already contains the data and the destination.
func withPayload(verdict tools.Verdict, title, detail string, command bool) (string, string) {
	if verdict.Host == "" || command {
		return title, detail
	}
	return "Send this to " + verdict.Host + "?",
		tools.Visible(verdict.Payload) + "\nIf you answer \"always\", Marvin does not ask again in this conversation before it sends something to " + verdict.Host + "."
}

// unsent is the notice for a refused upload when no user could be asked.
func unsent(tool string, verdict tools.Verdict, person bool) []string {
	if verdict.Place == "" || person {
		return nil
	}
	return []string{tool + " was not run: " + strings.Join(verdict.Reasons, "; ") + ". To allow the call, name " + verdict.Place + " in a prompt or in a rule"}
}

// sendNotice returns the notice about data that a call sends without asking the user. This happens only
// while every call is allowed.
func sendNotice(tool string, verdict tools.Verdict, tainted string) []string {
	if verdict.Place == "" {
		return nil
	}
	return []string{tool + " sends data to " + verdict.Place + ", although " + cmp.Or(tainted, tools.SystemText) + " brought untrusted or private text into the conversation"}
}
