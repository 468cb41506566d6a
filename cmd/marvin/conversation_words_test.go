package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

func TestAConversationIsMeantByWhatWasSaid(t *testing.T) {
	t.Parallel()
	home := persistence.Open(t.TempDir(), time.Now)
	var ids []string
	for _, talk := range [][2]string{{"mend the parser", "The brackets are off."}, {"the weather", "It rains on Monday."}, {"the garden", "It rains there as well."}} {
		session, err := sessions.New(home).Create(sessions.Header{Dir: "/work"})
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(map[string]any{"prompt": talk[0], "outcome": "completed", "messages": []messages.Message{
			{Role: messages.User, Text: talk[0]}, {Role: messages.Assistant, Text: talk[1]},
		}})
		if err == nil {
			err = session.Append(false, sessions.Entry{Kind: "step", Body: body, About: &sessions.About{First: talk[0], Turns: 1}})
		}
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, session.Header().ID)
		if err := session.Close(); err != nil {
			t.Fatal(err)
		}
	}
	all := clisessions.Conversations{Home: home}
	for words, want := range map[string]string{"parser": ids[0], "BRACKETS": ids[0], "rains monday": ids[1]} {
		if info, err := all.Lookup(words); err != nil || info.ID != want {
			t.Errorf("%q means %q, not %q: %v", words, info.ID, want, err)
		}
	}
	for words, why := range map[string]string{"rains": "2 conversations contain", "snow": "or contains that text", " ": "no conversation is called"} {
		if _, err := all.Lookup(words); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", words, err)
		}
	}
	list, err := sessions.New(home).List()
	if err != nil {
		t.Fatal(err)
	}
	if found := (clisessions.Archive{Conversations: all}).FindMatching(list, "garden"); len(found) != 1 || found[0].ID != ids[2] {
		t.Errorf("about the garden are %+v", found)
	}
}
