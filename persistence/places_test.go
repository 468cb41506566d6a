package persistence

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
)

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

func words(text string) *string { return &text }

func degrees(number float64) *float64 { return &number }

// One field of one place is changed; every other byte is what the earlier Marvin wrote.
func TestSavingAPlaceChangesNothingElse(t *testing.T) {
	for source, change := range map[string]struct{ old, new string }{
		"testdata/python": {
			"\"address\": \"1 High St\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"updated_at\": \"2026-02-14T10:00:00.123456Z\"",
			"\"address\": \"2 Low St <é>\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"updated_at\": \"2026-02-14T12:30:15.250000Z\"",
		},
		"testdata/typescript": {
			"\"address\": \"1 High St\",\n    \"phone\": \"\",\n    \"website\": \"\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"notes\": \"\"",
			"\"address\": \"2 Low St <é>\",\n    \"phone\": \"\",\n    \"website\": \"\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"notes\": \"\",\n    \"updated_at\": \"2026-02-14T12:30:15.250000Z\"",
		},
	} {
		profile := copyOf(t, source).Profile("main")
		before := get(t, profile.path("saved_places.json"))
		isNew, _, err := profile.SavePlace(" HOME ", PlaceChange{Address: words("2 Low St <é>")})
		must(t, err)
		if want := strings.Replace(before, change.old, change.new, 1); isNew || get(t, profile.path("saved_places.json")) != want || want == before {
			t.Errorf("%s: new %v, got %s", source, isNew, get(t, profile.path("saved_places.json")))
		}
	}
}

func TestANewPlaceHasOnlyWhatIsKnown(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	isNew, total, err := profile.SavePlace("Null  Island", PlaceChange{Lat: degrees(0), Lng: degrees(0), Phone: words("")})
	must(t, err)
	want := `[
  {
    "label": "null island",
    "lat": 0,
    "lng": 0,
    "updated_at": "2026-02-14T12:30:15.250000Z"
  }
]`
	if got := get(t, profile.path("saved_places.json")); !isNew || total != 1 || got != want {
		t.Errorf("new %v, %d, %s", isNew, total, got)
	}
}

func TestAnUpdateCanTakeAFieldAwayAndKeepsUnknownKeys(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	put(t, profile.path("saved_places.json"), `[{"label":"gym","stars":{"a.b":[1,2.50]},"notes":"x","phone":"1"},7,{"name":"no label"}]`)
	_, total, err := profile.SavePlace("gym", PlaceChange{Notes: words(" "), Website: words("https://gym.example")})
	must(t, err)
	want := `[{"label":"gym","stars":{"a.b":[1,2.50]},"phone":"1","website":"https://gym.example","updated_at":"2026-02-14T12:30:15.250000Z"},7,{"name":"no label"}]`
	got := strings.Join(strings.Fields(get(t, profile.path("saved_places.json"))), "")
	if total != 3 || got != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%d, got %s", total, got)
	}
}

func TestRemovingAPlaceLeavesTheOthers(t *testing.T) {
	profile := copyOf(t, "testdata/python").Profile("main")
	before := get(t, profile.path("saved_places.json"))
	if _, err := profile.RemovePlace("gym"); !errors.Is(err, ErrNoPlace) {
		t.Errorf("an unknown label: %v", err)
	}
	if get(t, profile.path("saved_places.json")) != before {
		t.Error("nothing was to be removed, but the file changed")
	}
	left, err := profile.RemovePlace(" Home ")
	must(t, err)
	first := strings.Index(before, "  {\n    \"label\": \"home\"")
	second := strings.Index(before, "  {\n    \"label\": \"caf")
	if want := before[:first] + before[second:]; left != 1 || get(t, profile.path("saved_places.json")) != want {
		t.Errorf("%d left in %s", left, get(t, profile.path("saved_places.json")))
	}
}

func TestDamagedPlacesAreSetAside(t *testing.T) {
	for _, damaged := range []string{`[{"label": "home"`, `{"home": {}}`, "\x00\x00"} {
		profile := Open(t.TempDir(), now).Profile("default")
		path := profile.path("saved_places.json")
		put(t, path, damaged)
		if _, err := profile.RemovePlace("home"); !errors.Is(err, ErrNoPlace) || get(t, path) != damaged {
			t.Errorf("%q: a change that fails touched the file: %v", damaged, err)
		}
		_, total, err := profile.SavePlace("home", PlaceChange{Name: words("Flat")})
		if !OnlyDamage(err) || total != 1 {
			t.Errorf("%q: %d, %v", damaged, total, err)
		}
		if kept := get(t, path+".damaged-20260214-123015"); kept != damaged {
			t.Errorf("%q is kept as %q", damaged, kept)
		}
	}
}

const savingProcesses, savesEach = 6, 10

func init() {
	helpers["save places"] = func(home string) error {
		profile := Open(home, now).Profile("default")
		for i := range savesEach {
			_, _, place := profile.SavePlace(fmt.Sprintf("%d-%d", os.Getpid(), i), PlaceChange{Name: words("x")})
			_, bookmark := profile.Bookmarks().Save(Bookmark{URL: fmt.Sprintf("https://%d.example/%d", os.Getpid(), i)})
			_, preference := profile.ChangePreference("dietary", AddPreference, []string{fmt.Sprintf("d%d-%d", os.Getpid(), i)})
			if err := errors.Join(place, bookmark, preference); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestRow5ProcessesThatSaveAtOnceLoseNothing(t *testing.T) {
	home := t.TempDir()
	var started []*exec.Cmd
	for range savingProcesses {
		cmd := helper(t, "save places", home)
		must(t, cmd.Start())
		started = append(started, cmd)
	}
	for _, cmd := range started {
		must(t, cmd.Wait())
	}
	profile := Open(home, now).Profile("default")
	saved, err := profile.Places()
	must(t, err)
	bookmarks, err := profile.Bookmarks().All()
	must(t, err)
	document, err := readYAML(get(t, profile.path("preferences.yaml")))
	must(t, err)
	diets := listOf(document.value("dietary"))
	slices.Sort(diets)
	for name, n := range map[string]int{"places": len(saved), "bookmarks": len(bookmarks), "diets": len(slices.Compact(diets))} {
		if n != savingProcesses*savesEach {
			t.Errorf("%s: %d of %d are left", name, n, savingProcesses*savesEach)
		}
	}
}
