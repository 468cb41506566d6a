package actors_test

import (
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// Outside a project Marvin asks behind the first answer whether it works on the files there.
// No prompt waits for that, and only a lasting answer is remembered.
func TestTheFilesOfADirectoryAreAskedAboutOnce(t *testing.T) {
	for choice, want := range map[messages.Choice]struct{ coding, kept bool }{
		messages.Yes: {coding: true}, messages.Always: {coding: true, kept: true}, messages.No: {kept: true},
	} {
		kept := make(chan bool, 1)
		server := modeltest.Start(t, modeltest.Text("one"), modeltest.Text("two"))
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Home: t.TempDir(), Dir: t.TempDir(), Tools: files.Tools(), Policy: &actors.Policy{Person: true},
			Begin: func(begin *actors.Conversation) {
				begin.Files = &actors.OfferFiles{Place: "~/x", Keep: func(on bool) error { kept <- on; return nil }}
			},
		})
		tree.Client.Send(messages.Say("hello"))
		if ended := actorstest.Until[messages.TurnEnded](tree); ended.Text != "one" {
			t.Errorf("%s: the prompt ended with %+v", choice, ended)
		}
		asked := actorstest.Until[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
		if mode := actorstest.Until[messages.ModeChanged](tree); mode.Coding != want.coding {
			t.Errorf("%s: coding is %t", choice, mode.Coding)
		}
		if want.kept {
			if on := <-kept; on != want.coding {
				t.Errorf("%s: kept is %t", choice, on)
			}
		} else if len(kept) > 0 {
			t.Errorf("%s is remembered", choice)
		}
		tree.Client.Send(messages.Say("again"))
		if ended := actorstest.Until[messages.TurnEnded](tree); ended.Text != "two" {
			t.Errorf("%s: the second prompt ended with %+v", choice, ended)
		}
	}
}
