package actors_test

import (
	"context"
	"slices"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// Outside a project, Marvin asks after the first answer whether it may work on the files there. No
// prompt waits for the question, and only a lasting answer is stored.
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
		if ended := actorstest.ReadUntil[messages.TurnEnded](tree); ended.Text != "one" {
			t.Errorf("%s: the prompt ended with %+v", choice, ended)
		}
		asked := actorstest.ReadUntil[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
		if mode := actorstest.ReadUntil[messages.ModeChanged](tree); mode.Coding != want.coding {
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
		if ended := actorstest.ReadUntil[messages.TurnEnded](tree); ended.Text != "two" {
			t.Errorf("%s: the second prompt ended with %+v", choice, ended)
		}
	}
}

// A conversation that continues without a window does not ask about the directory, so that its
// process can end. The question comes when a window opens, and is withdrawn when that window
// closes.
func TestTheFilesOfADirectoryAreNotAskedAboutWithoutAWindow(t *testing.T) {
	gate := make(chan struct{})
	server := modeltest.Start(t, modeltest.Text("one").Append(modeltest.Pause(gate), modeltest.Text(" end")), modeltest.Text("two"))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: t.TempDir(), Dir: t.TempDir(), Tools: files.Tools(), Policy: &actors.Policy{Person: true},
		Begin: func(begin *actors.Conversation) {
			begin.SeveralWindows, begin.Files = true, &actors.OfferFiles{Place: "~/x", Keep: func(bool) error { return nil }}
		},
	})
	log, err := tree.Client.Window("log", messages.RoleAnswer, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), actorstest.Patience)
	defer cancel()
	until := func(what func(messages.Event) bool) {
		for {
			batch, err := log.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(batch, func(one messages.Envelope) bool { return what(one.Event) }) {
				return
			}
		}
	}
	ended := func(event messages.Event) bool { _, is := event.(messages.TurnEnded); return is }
	asked := func(event messages.Event) bool { _, is := event.(messages.Asked); return is }
	answered := func(event messages.Event) bool { _, is := event.(messages.Answered); return is }
	refused := func(event messages.Event) bool { _, is := event.(messages.Refused); return is }
	tree.Client.Send(messages.Say("hello"))
	actorstest.ReadUntil[messages.Text](tree)
	tree.Client.Leave()
	close(gate)
	until(ended)
	for range 2 { // after the end of the turn, and after what the session does then
		log.Send(messages.Request{ID: "r", Op: messages.Attend{Ask: "none"}})
		until(refused)
	}
	if live := tree.Client.Live(); live.State != messages.LiveDone {
		t.Errorf("without a window it is %s: %+v", live.State, live.Waits)
	}
	again, err := tree.Client.Window("again", messages.RoleDrive, false)
	if err != nil {
		t.Fatal(err)
	}
	again.Send(messages.Say("more"))
	until(asked)
	again.Close()
	until(answered)
	if live := tree.Client.Live(); live.State != messages.LiveDone {
		t.Errorf("after the window closed it is %s: %+v", live.State, live.Waits)
	}
}
