package persistence

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestAsk43DraftsSurviveTheirWindow(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("alex")
	first, unsent, err := profile.OpenDraft()
	must(t, err)
	if !reflect.DeepEqual(unsent, Unsent{}) {
		t.Errorf("a new window finds %+v", unsent)
	}
	kept := Unsent{Input: "half a thought\n日本", Queue: []string{"later"}}
	must(t, first.Save(kept))
	if info, err := os.Stat(profile.path("draft.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the draft: %v, %v", info.Mode(), err)
	}
	second, unsent, err := profile.OpenDraft()
	must(t, err)
	if unsent.Input != "" {
		t.Errorf("a second window finds the words of the first: %+v", unsent)
	}
	must(t, second.Save(Unsent{Input: "of the second"}))
	must(t, first.Close())
	must(t, second.Close())
	third, unsent, err := profile.OpenDraft()
	must(t, err)
	if !reflect.DeepEqual(unsent, kept) {
		t.Errorf("after the crash: %+v", unsent)
	}
	must(t, third.Save(Unsent{}))
	if _, err := os.Stat(profile.path("draft.json")); !os.IsNotExist(err) {
		t.Errorf("what was sent is still there: %v", err)
	}
	must(t, third.Close())
}

func TestADamagedDraftIsSetAside(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("alex")
	put(t, profile.path("draft.json"), `{"input": "hal`)
	draft, unsent, err := profile.OpenDraft()
	if err == nil || !strings.Contains(err.Error(), "damaged") || unsent.Input != "" {
		t.Errorf("%+v, %v", unsent, err)
	}
	must(t, draft.Save(Unsent{Input: "new"}))
	if !strings.Contains(get(t, profile.path("draft.json")), "new") {
		t.Error("the draft cannot be used afterwards")
	}
	must(t, draft.Close())
}

// A window that is killed lets its draft go: the lock is the kernel's.
func TestKill9LeavesTheDraftToTheNextWindow(t *testing.T) {
	home := t.TempDir()
	window := helper(t, "draft", home)
	must(t, window.Start())
	profile := Open(home, now).Profile("alex")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if data, _ := os.ReadFile(profile.path("draft.json")); len(data) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the window wrote nothing")
		}
	}
	must(t, window.Process.Kill())
	window.Wait()
	draft, unsent, err := profile.OpenDraft()
	must(t, err)
	if unsent.Input != "typed" {
		t.Errorf("found %+v", unsent)
	}
	must(t, draft.Close())
}

func init() {
	helpers["draft"] = func(home string) error {
		draft, _, err := Open(home, now).Profile("alex").OpenDraft()
		if err != nil {
			return err
		}
		if err := draft.Save(Unsent{Input: "typed"}); err != nil {
			return err
		}
		time.Sleep(time.Minute)
		return nil
	}
}
