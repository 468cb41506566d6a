package places

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

// book calls the tools like a model.
type book struct {
	t     *testing.T
	tools map[string]tools.Tool
	env   tools.Env
}

func newBook(t *testing.T) book {
	home := persistence.Open(t.TempDir(), time.Now)
	b := book{t, map[string]tools.Tool{}, tools.Env{Profile: home.Profile("default").Dir}}
	for _, tool := range New(home).Tools() {
		b.tools[tool.Name] = tool
	}
	return b
}

func (b book) expect(name, args, want string) {
	b.t.Helper()
	call, err := b.tools[name].Decode(json.RawMessage(args))
	var output tools.Output
	if err == nil {
		output, err = call.Run(b.t.Context(), b.env)
	}
	got := output.Text
	if err != nil {
		got = err.Error()
	}
	if got != want && !(strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
		b.t.Errorf("%s %s:\n%s\nwant\n%s", name, args, got, want)
	}
}

func TestAnAddressBook(t *testing.T) {
	b := newBook(t)
	b.expect("list_places", `{}`, "There are no saved places. Save one with save_place, for example \"home\" and its address.")
	b.expect("remove_place", `{"label": "home"}`, "no saved place is called \"home\"\nThere are no saved places.")
	b.expect("save_place", `{"label": " Home", "name": "Flat", "address": "1 High St", "latitude": "51.5", "lon": -0.12}`, `Saved "home". Saved places: 1.`)
	b.expect("save_place", `{"label": "Null  Island", "lat": 0, "lng": 0, "phone": "+1 2", "website": "https://x.example", "notes": "wet\nand warm"}`,
		`Saved "null island". Saved places: 2.`)
	b.expect("list_places", `{}`, `Saved places: 2

1. HOME
   Flat
   1 High St
   Coordinates: 51.5, -0.12

2. NULL ISLAND
   Phone: +1 2
   Website: https://x.example
   Notes: wet and warm
   Coordinates: 0, 0`)
	b.expect("save_place", `{"label": "HOME", "name": "", "address": "2 Low St"}`, `Updated "home". Saved places: 2.`)
	b.expect("remove_place", `{"name": "NULL island"}`, `Removed "null island". Saved places: 1.`)
	b.expect("remove_place", `{"label": "gym"}`, "no saved place is called \"gym\"\nThere is: home")
	b.expect("list_places", `{}`, "Saved places: 1\n\n1. HOME\n   2 Low St\n   Coordinates: 51.5, -0.12")
}

func TestAPlaceThatCannotBeIsRefused(t *testing.T) {
	b := newBook(t)
	b.expect("save_place", `{"label": " \n"}`, "a place needs a label\nChoose a short one, such as \"home\".")
	b.expect("save_place", `{"label": "x", "lat": 1}`, "only one of \"lat\" and \"lng\" is given\nGive both or neither.")
	b.expect("save_place", `{"label": "x", "lat": 151.5, "lng": -0.12}`, "151.5, -0.12 is not a position\nlat must be between…")
	b.expect("save_place", `{"address": "1 High St"}`, "label is required: …")
	b.expect("list_places", `{}`, "There are no saved places…")
}

func TestFieldsInAnObjectAreFlattened(t *testing.T) {
	b := newBook(t)
	b.expect("save_place", `{"name": "Home", "data": {"name": "Flat", "lat": 0, "lng": "-0.12"}}`, `Saved "home". Saved places: 1.`)
	b.expect("save_place", `{"label": "home", "data": "{\"phone\": 123, \"lon\": 7}", "latitude": 1}`, `Updated "home". Saved places: 1.`)
	b.expect("list_places", `{}`, "Saved places: 1\n\n1. HOME\n   Flat\n   Phone: 123\n   Coordinates: 1, 7")
	b.expect("save_place", `{"data": {"label": "gym", "name": "Iron"}, "name": "Steel"}`, `Saved "gym". Saved places: 2.`)
	b.expect("list_places", `{}`, "Saved places: 2\n\n1. HOME\n   Flat\n   Phone: 123\n   Coordinates: 1, 7\n\n2. GYM\n   Steel")
	b.expect("save_place", `{"label": "x", "data": {"stars": 5}}`, "there is no parameter \"stars\"…")
	b.expect("save_place", `{"label": "x", "data": 7}`, "there is no parameter \"data\"…")
}

func TestADamagedBookIsToldAndKept(t *testing.T) {
	b := newBook(t)
	path := filepath.Join(b.env.Profile, "saved_places.json")
	if err := os.MkdirAll(b.env.Profile, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`[{"label": "ho`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.expect("list_places", `{}`, "read the saved places: "+path+" is damaged: …")
	b.expect("save_place", `{"label": "x"}`, "Saved \"x\". Saved places: 1.\nNote: "+path+" was damaged (…")
	if kept, err := filepath.Glob(path + ".damaged-*"); err != nil || len(kept) != 1 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

func TestWithoutAHomeNothingIsSaved(t *testing.T) {
	b := book{t: t, tools: map[string]tools.Tool{}}
	for _, tool := range New(persistence.Open("", time.Now)).Tools() {
		b.tools[tool.Name] = tool
	}
	b.expect("save_place", `{"label": "x"}`, "save the place: "+persistence.ErrNoHome.Error())
	b.expect("list_places", `{}`, "There are no saved places…")
}
