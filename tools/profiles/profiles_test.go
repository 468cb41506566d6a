package profiles

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

// fixture calls the tools like a model, in the profile of the last switch.
type fixture struct {
	t     *testing.T
	home  *persistence.Home
	tools map[string]tools.Tool
	env   tools.Env
}

func newFixture(t *testing.T) *fixture {
	d := &fixture{t: t, home: persistence.Open(t.TempDir(), time.Now), tools: map[string]tools.Tool{}}
	d.env = tools.Env{Profile: d.home.Profile("default").Dir, Conversation: tools.Conversation{SetProfile: func(name string) error {
		d.env.Profile = d.home.Profile(name).Dir
		return nil
	}}}
	for _, tool := range New(d.home).Tools() {
		d.tools[tool.Name] = tool
	}
	return d
}

func (d *fixture) expect(name, args, want string) {
	d.t.Helper()
	call, err := d.tools[name].Decode(json.RawMessage(args))
	var output tools.Output
	if err == nil {
		output, err = call.Run(d.t.Context(), d.env)
	}
	got := output.Text
	if err != nil {
		got = err.Error()
	}
	if got != want && !(strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
		d.t.Errorf("%s %s:\n%s\nwant\n%s", name, args, got, want)
	}
}

func (d *fixture) preferences() string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.env.Profile, "preferences.yaml"))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func TestSwitchingProfiles(t *testing.T) {
	d := newFixture(t)
	files := func(name string) string { return "Files: " + d.home.Profile(name).Dir + "\n" }
	d.expect("switch_profile", `{"name": "Work Trips"}`, "Created profile work_trips.\n"+files("work_trips")+"Profiles: work_trips")
	d.expect("switch_profile", `{"profile_name": "alex"}`, "Created profile alex.\n"+files("alex")+"Profiles: alex, work_trips")
	d.expect("switch_profile", `{"name": "ALEX"}`, "Already in profile alex.\n"+files("alex")+"Profiles: alex, work_trips")
	d.expect("switch_profile", `{"name": "work_trips"}`, "Switched to profile work_trips.\n"+files("work_trips")+"Profiles: alex, work_trips")
	for _, name := range []string{"", "..", "a/b", "../../x"} {
		d.expect("switch_profile", `{"name": "`+name+`"}`, `"`+name+"\" cannot be a profile: "+personal.ErrProfileName.Error()+"\nProfiles: alex, work_trips")
	}
	if last, err := d.home.LastProfile(); err != nil || last != "work_trips" {
		t.Errorf("the next start has %q, %v", last, err)
	}
}

func TestPreferencesAreUpdatedAsModelsWriteThem(t *testing.T) {
	d := newFixture(t)
	for _, test := range []struct{ args, want, line string }{
		{`{"key": "dietary", "action": "add", "value": "vegetarian, Nut free"}`, "dietary is now: vegetarian, Nut free", "dietary: [vegetarian, Nut free] "},
		{`{"key": "dietary", "action": "add", "value": ["Vegetarian", "halal"]}`, "dietary is now: vegetarian, Nut free, halal", "dietary: [vegetarian, Nut free, halal] "},
		{`{"key": "Dietary", "action": "REMOVE", "value": "nut free"}`, "dietary is now: vegetarian, halal", "dietary: [vegetarian, halal] "},
		{`{"key": "dietary", "value": ""}`, "dietary is now: (empty)", "dietary: [] "},
		{`{"key": "has_car", "value": false}`, "has_car is now: false", "has_car: false\n"},
		{`{"key": "has_car", "value": "yes"}`, "has_car is now: true", "has_car: true\n"},
		{`{"key": "max_distance_km", "value": 7.5}`, "max_distance_km is now: 7.5", "max_distance_km: 7.5\n"},
		{`{"key": "max_distance_km", "action": "add", "value": "12 km"}`, "max_distance_km is now: 12", "max_distance_km: 12\n"},
		{`{"key": "spice_tolerance", "value": "extra hot"}`, "spice_tolerance is now: extra-hot", "spice_tolerance: extra-hot "},
		{`{"key": "budget", "value": ["moderate"]}`, "budget is now: moderate", "budget: moderate "},
		{`{"key": "notes", "value": "likes: tea"}`, "notes is now: likes: tea", `notes: "likes: tea"`},
		{`{"key": "notes", "action": "add", "value": "and quiet"}`, "notes is now: likes: tea\nand quiet", `notes: "likes: tea\nand quiet"`},
	} {
		d.expect("update_preferences", test.args, test.want)
		if !strings.Contains(d.preferences(), "\n"+test.line) {
			t.Errorf("%s left\n%s", test.args, d.preferences())
		}
	}
	if !strings.Contains(d.preferences(), "# such as vegetarian") {
		t.Error("a comment is gone")
	}
}

func TestAWrongPreferenceNamesTheRightOnes(t *testing.T) {
	d := newFixture(t)
	for args, want := range map[string]string{
		`{"text": "I like it hot"}`:                                   "favorite_cuisines",
		`{"key": "transport", "value": "car"}`:                        "max_distance_km",
		`{"key": "budget", "value": "cheap"}`:                         "inexpensive",
		`{"key": "has_car", "value": "perhaps"}`:                      "true nor false",
		`{"key": "dietary", "action": "remove", "value": "halal"}`:    `does not contain "halal"`,
		`{"key": "dietary", "action": "replace", "value": "halal"}`:   "remove",
		`{"key": "budget", "action": "remove", "value": "expensive"}`: "set it instead",
	} {
		call, err := d.tools["update_preferences"].Decode(json.RawMessage(args))
		if err == nil {
			_, err = call.Run(t.Context(), d.env)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(d.env.Profile, "preferences.yaml")); err == nil {
		t.Error("a refused change wrote the preferences")
	}
}
