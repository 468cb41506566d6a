package plain_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// edits is a host whose user edits a change.
type edits struct {
	command.Host
	wanted *string
	known  *bool
}

func (e edits) EditChange(diff, dir string) (string, bool, error) {
	if dir != "/p" {
		return "", true, errors.New("another directory")
	}
	return strings.Replace(diff, "+2", *e.wanted, 1), *e.known, nil
}

// In plain mode, a proposed change is edited as on the full screen: an edited change is a no with
// instructions, and an unchanged one answers nothing.
func TestAChangeThatIsAskedAboutIsEditedInLines(t *testing.T) {
	const change = "--- a/a.txt\n+++ b/a.txt\n@@ -7 +7 @@\n-two\n+2\n"
	talk := heard{told: make(told, 4), ops: make(chan messages.Op, 8)}
	wanted, known := "+2", true
	s := openWith(t, "", talk, person(t), func(config *plain.Config) {
		config.Edit = func(text string) (string, error) { return strings.Replace(text, "+2", "+II", 1), nil }
		config.Commands = func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now, Host: edits{wanted: &wanted, known: &known}}}
		}
	})
	ask := func(id string) {
		talk.told <- []messages.Envelope{{Event: messages.Asked{
			Ask: id, Kind: messages.AskConsent, Tool: "apply_patch", Title: "Patch " + id + "?", Detail: "a rule\n" + change, Diff: true, Choices: []messages.Choice{messages.Yes, messages.No},
		}}}
		s.expect("Patch " + id + "?\n")
	}
	talk.told <- []messages.Envelope{{Event: messages.Opened{Profile: "default", Dir: "/p"}}}
	ask("1")
	s.expect("  e: edit the change")
	s.enter("e")
	s.expect("You made no edits; the question is still open.")
	wanted = "+zwei"
	s.enter("e")
	if answer := (<-talk.ops).(messages.Answer); answer.Choice != messages.No || answer.Ask != "1" || answer.Text != "Make the change like this instead:\n"+strings.Replace(change, "+2", "+zwei", 1) {
		t.Errorf("the answer is %+v", answer)
	}
	known = false // for example, a change of several files
	ask("2")
	s.enter("e")
	if answer := (<-talk.ops).(messages.Answer); answer.Text != "Make the change like this instead:\n"+strings.Replace(change, "+2", "+II", 1) {
		t.Errorf("the answer is %+v", answer)
	}
	talk.told <- []messages.Envelope{{Event: messages.Asked{Ask: "3", Kind: messages.AskConsent, Tool: "run_command", Title: "Run?", Detail: "ls", Choices: []messages.Choice{messages.Yes, messages.No}}}}
	s.expect("Run?\n")
	s.enter("e")
	if answer := (<-talk.ops).(messages.Answer); answer.Choice != messages.No || answer.Text != "" {
		t.Errorf("the answer is %+v", answer)
	}
	talk.told <- []messages.Envelope{{Event: messages.Closed{}}}
	s.end()
}
