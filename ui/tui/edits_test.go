package tui_test

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/tui"
)

const proposed = "--- a/a.txt\n+++ b/a.txt\n@@ -7 +7 @@\n-two\n+2\n"

func TestUserEditsProposedChange(t *testing.T) {
	talk, given, wanted := newScripted(), "", proposed
	p := sitWith(t, talk, 80, 20, func(c *tui.Config) {
		c.Edit = func(text string) (string, error) { given = text; return wanted, nil }
	})
	talk.say(opened, messages.Asked{Ask: "1", Tool: "apply_patch", Title: "Write it?", Detail: "a rule\n" + proposed, Diff: true, Choices: []messages.Choice{messages.Yes, messages.No}})
	ready := func() {
		t.Helper()
		p.until("ready", func(f frame) bool {
			_, _, attributes := f.styles["[e]dit"].Decompose()
			return strings.Contains(f.String(), "[e]dit") && attributes&tcell.AttrDim == 0
		})
	}
	ready()
	p.press("e")
	p.sees("You made no edits")
	if given != proposed {
		t.Errorf("the editor got %q", given)
	}
	wanted = strings.ReplaceAll(proposed, "+2", "+II")
	ready()
	p.press("e")
	if answer := talk.answer(t); answer.Choice != messages.No || answer.Text != "Make the change like this instead:\n"+wanted {
		t.Errorf("the answer is %+v", answer)
	}
}

func TestWithoutAnEditorNothingIsOffered(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 20)
	talk.say(opened, messages.Asked{Ask: "1", Tool: "apply_patch", Title: "Write it?", Detail: proposed, Diff: true, Choices: []messages.Choice{messages.Yes, messages.No}})
	if f := p.sees("[i]nstead"); strings.Contains(f.String(), "[e]dit") {
		t.Errorf("it offers an editor:\n%s", f)
	}
}

func TestUnchangedProposalIsNotOpened(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 20)
	conversation(talk)
	p.sees("6 messages")
	p.press("F3")
	p.sees("▌")
	p.press("e")
	p.sees("This block contains no file change")
}
