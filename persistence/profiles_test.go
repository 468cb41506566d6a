package persistence

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

func TestLastProfile(t *testing.T) {
	for source := range map[string]bool{"testdata/python": true, "testdata/typescript": true} {
		if got, err := copyOf(t, source).LastProfile(); err != nil || got != "main" {
			t.Errorf("%s: %q, %v", source, got, err)
		}
	}
	h := copyOf(t, "testdata/python")
	for _, content := range []string{"", "gone", "../..", ".", "..", "/etc", `a\b`, "main/../main", "usage.json"} {
		put(t, h.path("last_profile"), content)
		if got, err := h.LastProfile(); err != nil || got != DefaultProfile {
			t.Errorf("%q gives %q, %v", content, got, err)
		}
	}
	put(t, h.path("last_profile"), "main\n")
	if got, _ := h.LastProfile(); got != "main" {
		t.Errorf("got %q", got)
	}
}

func TestAPipeInPlaceOfAFileIsAnError(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	put(t, profile.path("x"), "")
	must(t, syscall.Mkfifo(profile.path("preferences.yaml"), 0o600))
	if _, err := profile.Preferences(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
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
	h := copyOf(t, "testdata/typescript")
	profile, isNew, err := h.SwitchProfile("Work Trips")
	must(t, err)
	if profile.Name != "work_trips" || !isNew || get(t, h.path("last_profile")) != "work_trips" {
		t.Errorf("%q, new %v, last %q", profile.Name, isNew, get(t, h.path("last_profile")))
	}
	if last, err := h.LastProfile(); err != nil || last != "work_trips" {
		t.Errorf("the next start has %q, %v", last, err)
	}
	if got := get(t, profile.path("preferences.yaml")); got != firstPreferences {
		t.Errorf("preferences %q", got)
	}
	names, err := h.Profiles()
	if err != nil || !reflect.DeepEqual(names, []string{"main", "work_trips"}) {
		t.Errorf("profiles %v, %v", names, err)
	}
	info, err := os.Stat(profile.Dir)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestSwitchingToAnOldProfileLeavesItAlone(t *testing.T) {
	h := copyOf(t, "testdata/typescript")
	must(t, os.Rename(h.path("profiles", "main"), h.path("profiles", "Main")))
	profile, isNew, err := h.SwitchProfile("MAIN")
	if err != nil || isNew || profile.Name != "Main" || get(t, h.path("last_profile")) != "Main" {
		t.Errorf("%+v, new %v, %v", profile, isNew, err)
	}
	if _, err := os.Stat(profile.path("preferences.yaml")); err == nil {
		t.Error("a profile that has preferences got new ones")
	}
	if _, _, err := h.SwitchProfile("../etc"); !errors.Is(err, ErrProfileName) || get(t, h.path("last_profile")) != "Main" {
		t.Errorf("%v, last %q", err, get(t, h.path("last_profile")))
	}
	if _, _, err := Open("", now).SwitchProfile("alex"); !errors.Is(err, ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
}
