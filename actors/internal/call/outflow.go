package call

import (
	"cmp"
	"strings"

	"marvin/tools"
)

// This file tells the user about data that a call sends. tools/outflow.go decides whether the call
// may send the data.

// withPayload returns the title and the detail of a question. If the call would send data, the
// title names the destination and the detail shows the data. A question about a command already
// shows both, so it is not changed.
func withPayload(verdict tools.Verdict, title, detail string, command bool) (string, string) {
	if verdict.Host == "" || command {
		return title, detail
	}
	return "Send this to " + verdict.Host + "?",
		tools.Visible(verdict.Payload) + "\nIf you answer \"always\", Marvin does not ask again in this conversation before it sends something to " + verdict.Host + "."
}

// unsent returns the notice that a call was refused because no user could consent to sending data.
func unsent(tool string, verdict tools.Verdict, person bool) []string {
	if verdict.Place == "" || person {
		return nil
	}
	return []string{tool + " was not run: " + strings.Join(verdict.Reasons, "; ") + ". To allow the call, name " + verdict.Place + " in a prompt or in a rule"}
}

// sendNotice returns a warning that the call sends data without the user's consent. Only
// [messages.ApproveAll] allows such a call.
func sendNotice(tool string, verdict tools.Verdict, tainted string) []string {
	if verdict.Place == "" {
		return nil
	}
	return []string{tool + " sends data to " + verdict.Place + ", although " + cmp.Or(tainted, tools.SystemText) + " brought untrusted or private text into the conversation"}
}
