package offline_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/academic"
	"marvin/tools/agents"
	"marvin/tools/alarms"
	questions "marvin/tools/ask"
	"marvin/tools/blender"
	"marvin/tools/bookmarks"
	"marvin/tools/browse"
	"marvin/tools/calendar"
	"marvin/tools/clock"
	"marvin/tools/coding"
	"marvin/tools/downloads"
	"marvin/tools/feeds"
	"marvin/tools/files"
	"marvin/tools/git"
	"marvin/tools/github"
	"marvin/tools/history"
	"marvin/tools/jobs"
	"marvin/tools/language"
	"marvin/tools/location"
	"marvin/tools/maps"
	"marvin/tools/media"
	"marvin/tools/music"
	"marvin/tools/notes"
	"marvin/tools/ntfy"
	"marvin/tools/packages"
	"marvin/tools/places"
	"marvin/tools/plan"
	"marvin/tools/profiles"
	"marvin/tools/recipes"
	"marvin/tools/shell"
	"marvin/tools/skills"
	"marvin/tools/spotify"
	"marvin/tools/stack"
	"marvin/tools/steam"
	"marvin/tools/sums"
	"marvin/tools/system"
	"marvin/tools/tickets"
	"marvin/tools/timers"
	"marvin/tools/travel"
	"marvin/tools/units"
	"marvin/tools/weather"
	"marvin/tools/wiki"
	"marvin/tools/words"
)

// everyTool has all tools that Marvin has.
var everyTool = sync.OnceValue(func() *tools.Registry {
	var r tools.Registry
	home, client, now := persistence.Open("/nowhere", time.Now), http.DefaultClient, time.Now
	where, rings := location.New(client, home), alarms.New(home, client, "")
	for _, list := range [][]tools.Tool{
		files.Tools(), coding.Tools(), git.New().Tools(), shell.Tools(), language.Tools(), packages.Tools(),
		agents.New(tickets.Brief).Tools(), jobs.New(home, "").Tools(), skills.Tools(), plan.Tools(), questions.Tools(), tickets.New().Tools(), notes.Tools(),
		browse.New(client).Tools(), feeds.New(client).Tools(), downloads.New(client).Tools(),
		where.Tools(), places.New(home).Tools(), travel.New(client, home).Tools(), maps.New(client).Tools(), weather.New(client, home, where.Here).Tools(),
		clock.New(client, home, now).Tools(), calendar.New(home, client, "").Tools(), rings.Tools(), timers.New(now, rings).Tools(), ntfy.New(client, home).Tools(),
		wiki.New(client).Tools(), academic.New(client).Tools(), stack.New(client).Tools(), github.New(client, "").Tools(),
		sums.Tools(), units.New(client).Tools(), words.New(client).Tools(),
		media.New(client).Tools(), steam.New(client).Tools(), music.New(client).Tools(), spotify.New(client, home).Tools(), recipes.New(client).Tools(),
		blender.Tools(), bookmarks.New(home).Tools(), profiles.New(home).Tools(), history.New(home).Tools(), system.New(home).Tools(),
	} {
		r.Add(list...)
	}
	r.Add(tools.FindTool(&r))
	return &r
})

// What becomes of each request of the files that are judged, right or wrong, is written down:
// whoever changes a phrase, or how one is read, sees all that it changes. Whether it is right is
// what `make eval` judges.
func TestWhatEachRequestIsUnderstoodAs(t *testing.T) {
	r := everyTool()
	model, question := offline.New(finder{r, everything}), providers.Question{}
	for _, tool := range r.Offer(everything, 0) {
		schema, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		question.Tools = append(question.Tools, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
	var got []string
	said := map[string]bool{}
	for _, text := range judged(t) {
		question.Messages = []messages.Message{request(text)}
		reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		line, key := text, reply.Text
		for _, call := range reply.Calls {
			line, key = fmt.Sprintf("%s => %s %s", line, call.Name, call.Args), call.Name
		}
		if !said[key] { // what is said of a tool, and each text, stands there once
			said[key] = true
			line += " => " + strings.ReplaceAll(reply.Text, "\n", "\\n")
		} else if len(reply.Calls) == 0 {
			first, _, _ := strings.Cut(reply.Text, "\n")
			line += " => " + first
		}
		got = append(got, line)
	}
	golden := filepath.Join("testdata", "understood.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d requests are judged, %d are written down: UPDATE_GOLDEN=1 writes them", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("line %d: %s\nit was: %s", i+1, got[i], want[i])
		}
	}
}

// judged are the requests of testdata/requests.txt, and every third one of the files that are
// judged: all of those would take four seconds.
func judged(t *testing.T) (list []string) {
	t.Helper()
	read := func(path string) (all []string) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			if text, _, _ := strings.Cut(strings.TrimSpace(line), " => "); text != "" && text[0] != '#' {
				all = append(all, text)
			}
		}
		return all
	}
	for _, name := range []string{"own", "requests", "train", "fresh", "fresh2", "fresh3", "fresh4", "fresh5", "fresh6", "strangers"} {
		for i, text := range read(filepath.Join("..", "..", "cmd", "marvin", "testdata", "eval", name+".txt")) {
			if i%3 == 0 {
				list = append(list, text)
			}
		}
	}
	return append(list, read(filepath.Join("testdata", "requests.txt"))...)
}
