package actors_test

import (
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// Outside a project the first prompt waits until the user said whether Marvin works on the
// files there; only a lasting answer is remembered, and the prompt is answered in any case.
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
		asked := actorstest.Until[messages.Asked](tree)
		if n := len(server.Requests()); n != 0 {
			t.Fatalf("%s: %d requests before the answer", choice, n)
		}
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
		if mode := actorstest.Until[messages.ModeChanged](tree); mode.Coding != want.coding {
			t.Errorf("%s: coding is %t", choice, mode.Coding)
		}
		if ended := actorstest.Until[messages.TurnEnded](tree); ended.Text != "one" {
			t.Errorf("%s: the prompt ended with %+v", choice, ended)
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
