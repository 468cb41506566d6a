package chat

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestDraftSurvivesItsWindow(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("alex")
	first, unsent, err := OpenDraft(profile)
	storetest.Must(t, err)
	if !reflect.DeepEqual(unsent, Unsent{}) {
		t.Errorf("a new window finds %+v", unsent)
	}
	kept := Unsent{Input: "half a thought\n日本", Queue: []string{"later"}}
	storetest.Must(t, first.Save(kept))
	if info, err := os.Stat(profile.Path("draft.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the draft: %v, %v", info.Mode(), err)
	}
	second, unsent, err := OpenDraft(profile)
	storetest.Must(t, err)
	if unsent.Input != "" {
		t.Errorf("a second window finds the words of the first: %+v", unsent)
	}
	storetest.Must(t, second.Save(Unsent{Input: "of the second"}))
	storetest.Must(t, first.Close())
	storetest.Must(t, second.Close())
	third, unsent, err := OpenDraft(profile)
	storetest.Must(t, err)
	if !reflect.DeepEqual(unsent, kept) {
		t.Errorf("after the crash: %+v", unsent)
	}
	storetest.Must(t, third.Save(Unsent{}))
	if _, err := os.Stat(profile.Path("draft.json")); !os.IsNotExist(err) {
		t.Errorf("what was sent is still there: %v", err)
	}
	storetest.Must(t, third.Close())
}

func TestADamagedDraftIsSetAside(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("alex")
	storetest.Put(t, profile.Path("draft.json"), `{"input": "hal`)
	draft, unsent, err := OpenDraft(profile)
	if err == nil || !strings.Contains(err.Error(), "damaged") || unsent.Input != "" {
		t.Errorf("%+v, %v", unsent, err)
	}
	storetest.Must(t, draft.Save(Unsent{Input: "new"}))
	if !strings.Contains(storetest.Get(t, profile.Path("draft.json")), "new") {
		t.Error("the draft cannot be used afterwards")
	}
	storetest.Must(t, draft.Close())
}

// If a window is killed, the kernel releases the lock of its draft.
func TestKill9LeavesTheDraftToTheNextWindow(t *testing.T) {
	home := t.TempDir()
	window := storetest.Helper(t, "draft", home)
	storetest.Must(t, window.Start())
	profile := store.Open(home, storetest.Now).Profile("alex")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if data, _ := os.ReadFile(profile.Path("draft.json")); len(data) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the window wrote nothing")
		}
	}
	storetest.Must(t, window.Process.Kill())
	window.Wait()
	draft, unsent, err := OpenDraft(profile)
	storetest.Must(t, err)
	if unsent.Input != "typed" {
		t.Errorf("found %+v", unsent)
	}
	storetest.Must(t, draft.Close())
}

func init() {
	storetest.Helpers["draft"] = func(home string) error {
		draft, _, err := OpenDraft(store.Open(home, storetest.Now).Profile("alex"))
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
