package persistence

import (
	"reflect"
	"strings"
	"syscall"
	"testing"
)

func TestPreferencesAreReadAsTheyAre(t *testing.T) {
	for source, want := range map[string]string{"testdata/python": "spice_tolerance: medium", "testdata/typescript": "distance_unit: km"} {
		h := copyOf(t, source)
		got, err := h.Profile("main").Preferences()
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v", source, got, err)
		}
		put(t, h.Profile("main").path("preferences.yaml"), "# nothing yet\n")
		if got, err := h.Profile("main").Preferences(); err != nil || got != "# nothing yet\n" {
			t.Errorf("%s: preferences.yaml does not win: %q, %v", source, got, err)
		}
	}
}

func TestLongTextsAreCutAndSaySo(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	put(t, profile.path("preferences.yaml"), "x"+strings.Repeat("é", promptLimit))
	got, err := profile.Preferences()
	if err != nil || !strings.HasSuffix(got, "é\n[… cut after 262144 of 524289 bytes …]\n") {
		t.Errorf("ends with %q, %v", got[max(0, len(got)-60):], err)
	}
}

func TestPlacesOfEarlierMarvins(t *testing.T) {
	lat, lng := Coordinate(51.5), Coordinate(-0.12)
	flat := Place{Label: "home", Name: "Flat", Address: "1 High St", Lat: &lat, Lng: &lng}
	got, err := copyOf(t, "testdata/typescript").Profile("main").Places()
	if err != nil || !reflect.DeepEqual(got, []Place{flat}) {
		t.Errorf("typescript: %+v, %v", got, err)
	}
	flat.UpdatedAt = "2026-02-14T10:00:00.123456Z"
	cafe := Place{
		Label: "café", Name: "Café Noir", Phone: "+44 20 7946 0000", Notes: "closed on Mondays",
		UpdatedAt: "2026-02-14T10:05:00.000001Z",
	}
	got, err = copyOf(t, "testdata/python").Profile("main").Places()
	if err != nil || !reflect.DeepEqual(got, []Place{flat, cafe}) {
		t.Errorf("python: %+v, %v", got, err)
	}
}

func TestOneBadPlaceDoesNotHideTheOthers(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	put(t, profile.path("saved_places.json"), `[{"label": 7}, {"label": "a", "lat": "59.86", "lng": null}, {"label": "b", "lat": "north"}]`)
	got, err := profile.Places()
	if len(got) != 1 || got[0].Label != "a" || *got[0].Lat != 59.86 || got[0].Lng != nil {
		t.Errorf("got %+v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "entry 3") || !strings.Contains(err.Error(), "degrees") {
		t.Errorf("got %v", err)
	}
	put(t, profile.path("saved_places.json"), `[{`)
	if _, err := profile.Places(); err == nil {
		t.Error("a torn file reads as empty")
	}
}

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
