package personal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/internal/yamltext"
)

func TestPlacesOfEarlierMarvins(t *testing.T) {
	lat, lng := Coordinate(51.5), Coordinate(-0.12)
	flat := Place{Label: "home", Name: "Flat", Address: "1 High St", Lat: &lat, Lng: &lng}
	got, err := Places(storetest.CopyOf(t, "../testdata/typescript").Profile("main"))
	if err != nil || !reflect.DeepEqual(got, []Place{flat}) {
		t.Errorf("typescript: %+v, %v", got, err)
	}
	flat.UpdatedAt = "2026-02-14T10:00:00.123456Z"
	cafe := Place{
		Label: "café", Name: "Café Noir", Phone: "+44 20 7946 0000", Notes: "closed on Mondays",
		UpdatedAt: "2026-02-14T10:05:00.000001Z",
	}
	got, err = Places(storetest.CopyOf(t, "../testdata/python").Profile("main"))
	if err != nil || !reflect.DeepEqual(got, []Place{flat, cafe}) {
		t.Errorf("python: %+v, %v", got, err)
	}
}

func TestOneBadPlaceDoesNotHideTheOthers(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Put(t, profile.Path("saved_places.json"), `[{"label": 7}, {"label": "a", "lat": "59.86", "lng": null}, {"label": "b", "lat": "north"}]`)
	got, err := Places(profile)
	if len(got) != 1 || got[0].Label != "a" || *got[0].Lat != 59.86 || got[0].Lng != nil {
		t.Errorf("got %+v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "entry 3") || !strings.Contains(err.Error(), "degrees") {
		t.Errorf("got %v", err)
	}
	storetest.Put(t, profile.Path("saved_places.json"), `[{`)
	if _, err := Places(profile); err == nil {
		t.Error("a torn file reads as empty")
	}
}

func words(text string) *string { return &text }

func degrees(number float64) *float64 { return &number }

// Only one field of one place changes. Every other byte is as the earlier Marvin wrote it.
func TestSavingAPlaceChangesNothingElse(t *testing.T) {
	for source, change := range map[string]struct{ old, new string }{
		"../testdata/python": {
			"\"address\": \"1 High St\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"updated_at\": \"2026-02-14T10:00:00.123456Z\"",
			"\"address\": \"2 Low St <é>\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"updated_at\": \"2026-02-14T12:30:15.250000Z\"",
		},
		"../testdata/typescript": {
			"\"address\": \"1 High St\",\n    \"phone\": \"\",\n    \"website\": \"\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"notes\": \"\"",
			"\"address\": \"2 Low St <é>\",\n    \"phone\": \"\",\n    \"website\": \"\",\n    \"lat\": 51.5,\n    \"lng\": -0.12,\n    \"notes\": \"\",\n    \"updated_at\": \"2026-02-14T12:30:15.250000Z\"",
		},
	} {
		profile := storetest.CopyOf(t, source).Profile("main")
		before := storetest.Get(t, profile.Path("saved_places.json"))
		isNew, _, err := SavePlace(profile, " HOME ", PlaceChange{Address: words("2 Low St <é>")})
		storetest.Must(t, err)
		if want := strings.Replace(before, change.old, change.new, 1); isNew || storetest.Get(t, profile.Path("saved_places.json")) != want || want == before {
			t.Errorf("%s: new %v, got %s", source, isNew, storetest.Get(t, profile.Path("saved_places.json")))
		}
	}
}

func TestANewPlaceHasOnlyWhatIsKnown(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	isNew, total, err := SavePlace(profile, "Null  Island", PlaceChange{Lat: degrees(0), Lng: degrees(0), Phone: words("")})
	storetest.Must(t, err)
	want := `[
  {
    "label": "null island",
    "lat": 0,
    "lng": 0,
    "updated_at": "2026-02-14T12:30:15.250000Z"
  }
]`
	if got := storetest.Get(t, profile.Path("saved_places.json")); !isNew || total != 1 || got != want {
		t.Errorf("new %v, %d, %s", isNew, total, got)
	}
}

func TestAnUpdateCanTakeAFieldAwayAndKeepsUnknownKeys(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Put(t, profile.Path("saved_places.json"), `[{"label":"gym","stars":{"a.b":[1,2.50]},"notes":"x","phone":"1"},7,{"name":"no label"}]`)
	_, total, err := SavePlace(profile, "gym", PlaceChange{Notes: words(" "), Website: words("https://gym.example")})
	storetest.Must(t, err)
	want := `[{"label":"gym","stars":{"a.b":[1,2.50]},"phone":"1","website":"https://gym.example","updated_at":"2026-02-14T12:30:15.250000Z"},7,{"name":"no label"}]`
	got := strings.Join(strings.Fields(storetest.Get(t, profile.Path("saved_places.json"))), "")
	if total != 3 || got != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%d, got %s", total, got)
	}
}

func TestRemovingAPlaceLeavesTheOthers(t *testing.T) {
	profile := storetest.CopyOf(t, "../testdata/python").Profile("main")
	before := storetest.Get(t, profile.Path("saved_places.json"))
	if _, err := RemovePlace(profile, "gym"); !errors.Is(err, ErrNoPlace) {
		t.Errorf("an unknown label: %v", err)
	}
	if storetest.Get(t, profile.Path("saved_places.json")) != before {
		t.Error("nothing was to be removed, but the file changed")
	}
	left, err := RemovePlace(profile, " Home ")
	storetest.Must(t, err)
	first := strings.Index(before, "  {\n    \"label\": \"home\"")
	second := strings.Index(before, "  {\n    \"label\": \"caf")
	if want := before[:first] + before[second:]; left != 1 || storetest.Get(t, profile.Path("saved_places.json")) != want {
		t.Errorf("%d left in %s", left, storetest.Get(t, profile.Path("saved_places.json")))
	}
}

func TestDamagedPlacesAreSetAside(t *testing.T) {
	for _, damaged := range []string{`[{"label": "home"`, `{"home": {}}`, "\x00\x00"} {
		profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
		path := profile.Path("saved_places.json")
		storetest.Put(t, path, damaged)
		if _, err := RemovePlace(profile, "home"); !errors.Is(err, ErrNoPlace) || storetest.Get(t, path) != damaged {
			t.Errorf("%q: a change that fails touched the file: %v", damaged, err)
		}
		_, total, err := SavePlace(profile, "home", PlaceChange{Name: words("Flat")})
		if !store.OnlyDamage(err) || total != 1 {
			t.Errorf("%q: %d, %v", damaged, total, err)
		}
		if kept := storetest.Get(t, path+".damaged-20260214-123015"); kept != damaged {
			t.Errorf("%q is kept as %q", damaged, kept)
		}
	}
}

const savingProcesses, savesEach = 6, 10

func init() {
	storetest.Helpers["save places"] = func(home string) error {
		profile := store.Open(home, storetest.Now).Profile("default")
		for i := range savesEach {
			_, _, place := SavePlace(profile, fmt.Sprintf("%d-%d", os.Getpid(), i), PlaceChange{Name: words("x")})
			_, bookmark := BookmarksOf(profile).Save(Bookmark{URL: fmt.Sprintf("https://%d.example/%d", os.Getpid(), i)})
			_, preference := ChangePreference(profile, "dietary", AddPreference, []string{fmt.Sprintf("d%d-%d", os.Getpid(), i)})
			if err := errors.Join(place, bookmark, preference); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestProcessesThatSaveAtOnceLoseNothing(t *testing.T) {
	home := t.TempDir()
	var started []*exec.Cmd
	for range savingProcesses {
		cmd := storetest.Helper(t, "save places", home)
		storetest.Must(t, cmd.Start())
		started = append(started, cmd)
	}
	for _, cmd := range started {
		storetest.Must(t, cmd.Wait())
	}
	profile := store.Open(home, storetest.Now).Profile("default")
	saved, err := Places(profile)
	storetest.Must(t, err)
	bookmarks, err := BookmarksOf(profile).All()
	storetest.Must(t, err)
	document, err := yamltext.Read(storetest.Get(t, profile.Path("preferences.yaml")))
	storetest.Must(t, err)
	diets := listOf(document.Value("dietary"))
	slices.Sort(diets)
	for name, n := range map[string]int{"places": len(saved), "bookmarks": len(bookmarks), "diets": len(slices.Compact(diets))} {
		if n != savingProcesses*savesEach {
			t.Errorf("%s: %d of %d are left", name, n, savingProcesses*savesEach)
		}
	}
}
