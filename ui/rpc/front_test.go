package rpc

import (
	"bytes"
	"errors"
	"testing"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/jsonl"
)

// sent records the requests of commands.
type sent struct {
	ui.Client
	requests []messages.Request
}

func (s *sent) Send(op messages.Op) {
	s.requests = append(s.requests, op.(messages.Request))
}

// A program has no terminal, lists, keys or colors, and gets messages that say so. Prompts of a
// command have the id of the line that started it, also later.
func TestCommandsWithoutTerminal(t *testing.T) {
	client, out := &sent{}, &bytes.Buffer{}
	server := &Server{Client: client, out: jsonl.NewWriter(out), typing: "7"}
	f := front{server: server}
	f.Submit(messages.Prompt{Text: "now"})
	later := f.Hold()
	server.typing = "8"
	later(messages.Prompt{Text: "later"})
	for i, want := range []string{"now", "later"} {
		if got := client.requests[i]; got.ID != "7" || got.Op.(messages.Prompt).Text != want {
			t.Errorf("%+v", got)
		}
	}
	if err := f.Suspend(func() error { return errors.New("it ran") }); err != command.ErrNoTerminal {
		t.Errorf("%v", err)
	}
	way, err := f.Copy("x")
	if way != "" || err == nil || err.Error() != "there is no clipboard here; the event \"turn_ended\" contains the answer in its \"text\"" {
		t.Errorf("%q, %v", way, err)
	}
	if f.Pick(command.Pick{}) || f.Theme("dark") != command.ErrNoColours || f.StartDisplay("ls") != nil || f.Keys() != "There are no keyboard shortcuts here: requests come as lines of JSON." {
		t.Error("a program has what it cannot have")
	}
	if f.Say(messages.Warning, "mind it"); out.String() != `{"v":1,"type":"said","level":"warning","text":"mind it"}`+"\n" {
		t.Errorf("%s", out)
	}
}
