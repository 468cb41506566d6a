package personal

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestLastProfile(t *testing.T) {
	for source := range map[string]bool{"../testdata/python": true, "../testdata/typescript": true} {
		if got, err := storetest.CopyOf(t, source).LastProfile(); err != nil || got != "main" {
			t.Errorf("%s: %q, %v", source, got, err)
		}
	}
	h := storetest.CopyOf(t, "../testdata/python")
	for _, content := range []string{"", "gone", "../..", ".", "..", "/etc", `a\b`, "main/../main", "usage.json"} {
		storetest.Put(t, h.Path("last_profile"), content)
		if got, err := h.LastProfile(); err != nil || got != store.DefaultProfile {
			t.Errorf("%q gives %q, %v", content, got, err)
		}
	}
	storetest.Put(t, h.Path("last_profile"), "main\n")
	if got, _ := h.LastProfile(); got != "main" {
		t.Errorf("got %q", got)
	}
}

func TestAPipeInPlaceOfAFileIsAnError(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Put(t, profile.Path("x"), "")
	storetest.Must(t, syscall.Mkfifo(profile.Path("preferences.yaml"), 0o600))
	if _, err := Preferences(profile); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}

func TestProfileNames(t *testing.T) {
	for text, want := range map[string]string{"Alex": "alex", " Work  Trips ": "work_trips", "josé": "josé", "a.b-c_1": "a.b-c_1", "अजय": "अजय"} {
		if got, err := ProfileName(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "  ", ".", "..", "../x", "a/b", `a\b`, ".hidden", "last_profile", "Last Profile", "a\x00b", "a\x1b[2J", "a\u202eb", "a:b", strings.Repeat("x", 65)} {
		if got, err := ProfileName(text); !errors.Is(err, ErrProfileName) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestSwitchingToANewProfileMakesIt(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/typescript")
	profile, isNew, err := SwitchProfile(h, "Work Trips")
	storetest.Must(t, err)
	if profile.Name != "work_trips" || !isNew || storetest.Get(t, h.Path("last_profile")) != "work_trips" {
		t.Errorf("%q, new %v, last %q", profile.Name, isNew, storetest.Get(t, h.Path("last_profile")))
	}
	if last, err := h.LastProfile(); err != nil || last != "work_trips" {
		t.Errorf("the next start has %q, %v", last, err)
	}
	if got := storetest.Get(t, profile.Path("preferences.yaml")); got != firstPreferences {
		t.Errorf("preferences %q", got)
	}
	names, err := Profiles(h)
	if err != nil || !reflect.DeepEqual(names, []string{"main", "work_trips"}) {
		t.Errorf("profiles %v, %v", names, err)
	}
	info, err := os.Stat(profile.Dir)
	storetest.Must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestSwitchingToAnOldProfileLeavesItAlone(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/typescript")
	storetest.Must(t, os.Rename(h.Path("profiles", "main"), h.Path("profiles", "Main")))
	profile, isNew, err := SwitchProfile(h, "MAIN")
	if err != nil || isNew || profile.Name != "Main" || storetest.Get(t, h.Path("last_profile")) != "Main" {
		t.Errorf("%+v, new %v, %v", profile, isNew, err)
	}
	if _, err := os.Stat(profile.Path("preferences.yaml")); err == nil {
		t.Error("a profile that has preferences got new ones")
	}
	if _, _, err := SwitchProfile(h, "../etc"); !errors.Is(err, ErrProfileName) || storetest.Get(t, h.Path("last_profile")) != "Main" {
		t.Errorf("%v, last %q", err, storetest.Get(t, h.Path("last_profile")))
	}
	if _, _, err := SwitchProfile(store.Open("", storetest.Now), "alex"); !errors.Is(err, store.ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
}
