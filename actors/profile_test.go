package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/providers/modeltest"
	"marvin/tools/places"
	"marvin/tools/profiles"
)

func TestASwitchOfTheProfileHoldsFromTheNextRequestOn(t *testing.T) {
	home := t.TempDir()
	files := persistence.Open(home, time.Now)
	for name, words := range map[string]string{"default": "first", "alex": "second"} {
		profile := files.Profile(name)
		write(t, filepath.Join(profile.Dir, "preferences.yaml"), "notes: "+words+" taste\n")
		if _, _, err := personal.SavePlace(profile, words+" flat", personal.PlaceChange{}); err != nil {
			t.Fatal(err)
		}
		if err := chat.New(profile).Append(chat.Entry{Role: "you", Text: words + " talk"}); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("the conversation", func(t *testing.T) {
		server := modeltest.Start(t,
			modeltest.Calls(modeltest.Call{Name: "switch_profile", Args: map[string]string{"name": "Alex"}}),
			modeltest.Calls(modeltest.Call{Name: "save_place", Args: map[string]string{"label": "gym"}}),
			modeltest.Text("Hello Alex."), modeltest.Text("Still Alex."))
		list := append(profiles.New(files).Tools(), places.New(files).Tools()...)
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Tools: list, Policy: &actors.Policy{Person: true, Persist: true}})
		turn := tree.Prompt("I'm Alex")
		if turn.Ended.Outcome != messages.Completed {
			t.Fatalf("%+v", turn.Ended)
		}
		if changed := actorstest.TurnEvents[messages.ModeChanged](turn); len(changed) != 1 || changed[0].Profile != "alex" {
			t.Errorf("front ends hear %+v", changed)
		}
		tree.Prompt("and now?")
		requests := server.Requests()
		for i, want := range []string{"first", "second", "second", "second"} {
			system := requests[i].Messages[0].Text
			other := map[string]string{"first": "second", "second": "first"}[want]
			for _, part := range []string{" taste", " flat"} {
				if !strings.Contains(system, want+part) || strings.Contains(system, other+part) {
					t.Errorf("request %d is not all of the %s profile:\n%s", i+1, want, system)
				}
			}
			if strings.Contains(string(requests[i].Raw), " talk") {
				t.Errorf("request %d has what an earlier conversation said: %s", i+1, requests[i].Raw)
			}
		}
		if got := string(messagesOf(t, requests[3].Raw)); !strings.Contains(got, "I'm Alex") || !strings.Contains(got, "Hello Alex.") {
			t.Errorf("the conversation was forgotten: %s", got)
		}
	}) // after Stop all files are written
	if read(t, filepath.Join(files.State, "last_profile")) != "alex" {
		t.Error("the next start begins with another profile")
	}
	old, err := chat.New(files.Profile("default")).Tail(10)
	if err != nil || len(old) != 1 {
		t.Errorf("the old profile's log: %+v, %v", old, err)
	}
	log, err := chat.New(files.Profile("alex")).Tail(10)
	if err != nil || len(log) != 5 || log[1].Text != "I'm Alex" || log[4].Text != "Still Alex." {
		t.Errorf("the new profile's log: %+v, %v", log, err)
	}
	saved, err := personal.Places(files.Profile("alex"))
	if err != nil || len(saved) != 2 || saved[1].Label != "gym" {
		t.Errorf("the new profile's places: %+v, %v", saved, err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
