package personal

import (
	"errors"
	"os"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/internal/yamltext"
)

func TestPreferencesAreReadAsTheyAre(t *testing.T) {
	for source, want := range map[string]string{"../testdata/python": "spice_tolerance: medium", "../testdata/typescript": "distance_unit: km"} {
		h := storetest.CopyOf(t, source)
		got, err := Preferences(h.Profile("main"))
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v", source, got, err)
		}
		storetest.Put(t, h.Profile("main").Path("preferences.yaml"), "# nothing yet\n")
		if got, err := Preferences(h.Profile("main")); err != nil || got != "# nothing yet\n" {
			t.Errorf("%s: preferences.yaml does not win: %q, %v", source, got, err)
		}
	}
}

func TestLongTextsAreCutAndSaySo(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Put(t, profile.Path("preferences.yaml"), "x"+strings.Repeat("é", store.PromptLimit))
	got, err := Preferences(profile)
	if err != nil || !strings.HasSuffix(got, "é\n[… cut after 262144 of 524289 bytes …]\n") {
		t.Errorf("ends with %q, %v", got[max(0, len(got)-60):], err)
	}
}

func TestOnePreferenceChangesAndEveryOtherByteStays(t *testing.T) {
	python := storetest.Get(t, "../testdata/python/.config/marvin/profiles/main/preferences.yaml")
	const commented = "# mine\r\ndietary:   # since 2019\r\n  - veg  # no fish\r\n  # not yet:\r\n  - 'nut free'\r\n\r\ntransport: {car: no}\r\nbudget: any # x\r\nhas_car: true"
	for _, test := range []struct{ name, text, key, action, value, old, new string }{
		{"python, a list of lines grows", python, "dietary", "add", "vegan, Vegetarian", "- vegetarian\n", "- vegetarian\n- vegan\n"},
		{"python, a list of lines empties", python, "dietary", "remove", "VEGETARIAN", "dietary:\n- vegetarian\n", "dietary: []\n"},
		{"python, a list of lines is set", python, "dietary", "set", "yes, vegan", "- vegetarian\n", "- \"yes\"\n- vegan\n"},
		{"python, an empty list", python, "avoid_cuisines", "add", "deep fried,é", "avoid_cuisines: []", "avoid_cuisines: [deep fried, \"é\"]"},
		{"python, a number", python, "max_distance_km", "set", " 2.50 km", "_km: 10", "_km: 2.5"},
		{"python, a boolean", python, "has_car", "set", "No", "has_car: true", "has_car: false"},
		{"python, a choice", python, "spice_tolerance", "set", "Extra hot", ": medium", ": extra-hot"},
		{"python, a quoted text", python, "notes", "set", `a "b": #c`, "notes: ''", `notes: "a \"b\": #c"`},
		{"a comment stays behind its value", commented, "budget", "set", "free", "budget: any #", "budget: free #"},
		{"an item goes, its neighbours stay", commented, "dietary", "remove", "veg", "  - veg  # no fish\r\n", ""},
		{"an item comes, with its line break", commented, "dietary", "add", "halal", "'nut free'\r\n", "'nut free'\r\n  - halal\r\n"},
		{"a list that empties keeps its comment", commented, "dietary", "set", "", "dietary:   # since 2019\r\n  - veg  # no fish\r\n  # not yet:\r\n  - 'nut free'\r\n", "dietary: []   # since 2019\r\n  # not yet:\r\n"},
		{"the last line has no break", commented, "has_car", "set", "0", "has_car: true", "has_car: false"},
		{"a missing key comes at the end", commented, "notes", "set", "hi", "has_car: true", "has_car: true\r\nnotes: hi\r\n"},
		{"a list in another order", "dietary: \n- a\n- b\n", "dietary", "set", "b,a", "- a\n- b\n", "- b\n- a\n"},
		{"items over several lines", "dietary: [a, # first\n  'b']  # c\nx: 1\n", "dietary", "add", "c", "[a, # first\n  'b']", "[a, b, c]"},
		{"one text for a list", "dietary: vegetarian # x\n", "dietary", "add", "halal", "vegetarian", "[vegetarian, halal]"},
		{"nothing behind the colon", "dietary:  # x\nbudget: any\n", "dietary", "add", "halal", "dietary:", "dietary: [halal]"},
		{"null", "budget: ~\n", "budget", "set", "free", "~", "free"},
		{"a text in a block", "notes: |\n  one\n\n  two\n\n# end\nbudget: any\n", "notes", "add", "three", "|\n  one\n\n  two", `"one\n\ntwo\n\nthree"`},
		{"a text over two lines", "notes: \"a\\\n  b\"  # x\n", "notes", "set", "c", "\"a\\\n  b\"", "c"},
		{"wide characters before it", "\"é日本\": 1\nnotes: \"日本\" # 本\n", "notes", "set", "off", "\"日本\"", "\"off\""},
		{"a document between marks", "---\nbudget: any\n", "budget", "set", "free", "any", "free"},
		{"only comments", "# nothing yet\n", "dietary", "set", "vegan", "yet\n", "yet\ndietary: [vegan]\n"},
		{"an empty file", "", "has_car", "set", "on", "", "has_car: true\n"},
		{"a flow mapping", "{budget: any, x: [1]}\n", "budget", "set", "free", "any", "free"},
	} {
		t.Run(test.name, func(t *testing.T) {
			profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
			storetest.Put(t, profile.Path("preferences.yaml"), test.text)
			if _, err := ChangePreference(profile, test.key, PreferenceAction(test.action), []string{test.value}); err != nil {
				t.Fatal(err)
			}
			if got, want := storetest.Get(t, profile.Path("preferences.yaml")), strings.Replace(test.text, test.old, test.new, 1); got != want {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

func TestAPreferenceThatCannotBeChangedSaysWhy(t *testing.T) {
	for _, test := range []struct{ text, key, action, value, want string }{
		{"budget: any\nbudget: free\n", "budget", "set", "any", "correct it with an editor"},
		{"dietary: [a\n", "dietary", "add", "b", "correct it with an editor"},
		{"- a\n- b\n", "dietary", "add", "b", "mapping is expected"},
		{"~\n", "dietary", "add", "b", "mapping is expected"},
		{"a: 1\n---\nb: 2\n", "dietary", "add", "b", "several documents"},
		{"x: &n [a]\ndietary: *n\n", "dietary", "add", "b", "with an editor"},
		{"dietary: &n [a]\nx: *n\n", "dietary", "add", "b", "with an editor"},
		{"dietary:\n- {a: 1}\n", "dietary", "add", "b", "with an editor"},
		{"{x: 1}\n", "budget", "set", "free", "with an editor"},
		{"a: 1\n...\n", "budget", "set", "free", "with an editor"},
		{"budget: any\n", "budget", "set", "cheap", "free, inexpensive, moderate, expensive, any"},
		{"budget: any\n", "budget", "remove", "any", "set it instead"},
		{"has_car: true\n", "has_car", "set", "maybe", "neither true nor false"},
		{"has_car: true\n", "max_distance_km", "set", "-1", "kilometers"},
		{"has_car: true\n", "max_distance_km", "set", "NaN", "kilometers"},
		{"dietary: [a]\n", "dietary", "remove", "b", `not contain "b"; its value is a`},
		{"dietary: [a]\n", "dietary", "add", " , ", "say what to add"},
		{"dietary: [a]\n", "transport", "set", "car", `no preference "transport"`},
	} {
		profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
		storetest.Put(t, profile.Path("preferences.yaml"), test.text)
		_, err := ChangePreference(profile, test.key, PreferenceAction(test.action), []string{test.value})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q %s %s %q: %v, want %q", test.text, test.action, test.key, test.value, err, test.want)
		}
		if got := storetest.Get(t, profile.Path("preferences.yaml")); got != test.text {
			t.Errorf("%q became %q", test.text, got)
		}
	}
}

func TestFirstPreferencesHaveExactlyTheirKeys(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	now, err := ChangePreference(profile, "notes", SetPreference, []string{"likes tea"})
	storetest.Must(t, err)
	got := storetest.Get(t, profile.Path("preferences.yaml"))
	if want := strings.Replace(firstPreferences, `notes: ""`, "notes: likes tea", 1); now != "likes tea" || got != want {
		t.Errorf("%q, %s", now, got)
	}
	document, err := yamltext.Read(got)
	storetest.Must(t, err)
	var keys []string
	for _, item := range document.Plain {
		keys = append(keys, item.Key.(string))
	}
	if list := strings.Join(keys, " "); list != "dietary spice_tolerance favorite_cuisines avoid_cuisines has_car max_distance_km budget accessibility notes" {
		t.Errorf("keys %s", list)
	}
	path, err := CreatePreferences(profile)
	if err != nil || path != profile.Path("preferences.yaml") || storetest.Get(t, path) != got {
		t.Errorf("preferences that there are were made again: %v", err)
	}
}

// The TypeScript Marvin's file is copied completely and stays at its place.
func TestPrefsAloneAreTheBeginningOfPreferences(t *testing.T) {
	profile := storetest.CopyOf(t, "../testdata/typescript").Profile("main")
	before := storetest.Get(t, profile.Path("prefs.yaml"))
	_, err := ChangePreference(profile, "dietary", AddPreference, []string{"halal"})
	storetest.Must(t, err)
	want := strings.Replace(before, "dietary: vegetarian", "dietary: [vegetarian, halal]", 1)
	if got := storetest.Get(t, profile.Path("preferences.yaml")); got != want || storetest.Get(t, profile.Path("prefs.yaml")) != before {
		t.Errorf("got %s", got)
	}
}

func TestAPreferenceThatIsAlreadySoWritesNothing(t *testing.T) {
	profile := storetest.CopyOf(t, "../testdata/python").Profile("main")
	path := profile.Path("preferences.yaml")
	storetest.Must(t, os.Chmod(path, 0o640))
	now, err := ChangePreference(profile, "dietary", AddPreference, []string{"Vegetarian"})
	storetest.Must(t, err)
	info, err := os.Stat(path)
	storetest.Must(t, err)
	if now != "vegetarian" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, mode %v", now, info.Mode())
	}
	if _, err := ChangePreference(store.Open("", nil).Profile("x"), "notes", SetPreference, nil); !errors.Is(err, store.ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
}

func FuzzPreferences(f *testing.F) {
	f.Add(firstPreferences, "vegan")
	f.Add("dietary:\n- a\n- b # c\nnotes: |\n  x\n", "b")
	f.Add("dietary: [a,\n b]\r\nx: {y: 1}\r\n", "yes")
	f.Add("? dietary\n: - a\n", "c")
	f.Fuzz(func(t *testing.T, text, value string) {
		document, err := yamltext.Read(text)
		if err != nil {
			return
		}
		list := splitValues([]string{value})
		edited, err := document.WithValue("dietary", list)
		if err != nil {
			return
		}
		after, err := yamltext.Read(edited)
		if err != nil || !yamltext.Same(after.Value("dietary"), list) {
			t.Fatalf("%q became %q: %v", text, edited, err)
		}
		again, err := after.WithValue("dietary", list)
		if err != nil || again != edited && len(list) > 0 {
			t.Errorf("%q is not stable: %q, %v", edited, again, err)
		}
	})
}
