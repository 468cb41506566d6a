package settings

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestServerMemoIsValidUntilChange(t *testing.T) {
	t.Parallel()
	h := store.Open(t.TempDir(), nil)
	all := func() map[string]Server {
		return map[string]Server{"a": {Command: []string{"x"}}, "b": {URL: "https://host/mcp", Reads: []string{"y"}}}
	}
	holds := func(servers map[string]Server) bool {
		var counts []int
		known := ServersOf(h).Known(servers).Read(&counts)
		if known && (len(counts) != 2 || counts[1] != 5) {
			t.Errorf("%v", counts)
		}
		return known
	}
	storetest.Must(t, ServersOf(h).KeepFile("a", []byte("{}")))
	ServersOf(h).Known(all()).Keep([]int{3, 5})
	if !holds(all()) {
		t.Fatal("it does not hold")
	}
	for what, change := range map[string]func(map[string]Server){
		"another command":  func(s map[string]Server) { s["a"] = Server{Command: []string{"z"}} },
		"switched off":     func(s map[string]Server) { s["a"] = Server{Command: []string{"x"}, Off: true} },
		"what only reads":  func(s map[string]Server) { s["b"] = Server{URL: "https://host/mcp", Reads: []string{"*"}} },
		"one more":         func(s map[string]Server) { s["c"] = Server{Command: []string{"x"}} },
		"one less":         func(s map[string]Server) { delete(s, "b") },
		"under other name": func(s map[string]Server) { s["d"] = s["b"]; delete(s, "b") },
	} {
		other := all()
		change(other)
		if holds(other) {
			t.Errorf("%s: it holds", what)
		}
	}
	file := filepath.Join(h.State, "mcp", "a.json")
	for what, change := range map[string]func() error{
		"other bytes": func() error { return ServersOf(h).KeepFile("a", []byte("{ }")) },
		"another day": func() error { return os.Chtimes(file, time.Time{}, time.Unix(1, 0)) },
		"gone":        func() error { return ServersOf(h).ForgetFile("a") },
		"a new one":   func() error { return ServersOf(h).KeepFile("b", []byte("{}")) },
	} {
		storetest.Must(t, ServersOf(h).KeepFile("a", []byte("{}")))
		storetest.Must(t, ServersOf(h).ForgetFile("b"))
		ServersOf(h).Known(all()).Keep([]int{3, 5})
		if !holds(all()) {
			t.Errorf("%s: it did not hold before", what)
		}
		storetest.Must(t, change())
		if holds(all()) {
			t.Errorf("%s: it holds", what)
		}
	}
	nowhere := ServersOf((&store.Home{})).Known(all())
	nowhere.Keep([]int{3, 5})
	if nowhere.Read(new([]int)) {
		t.Error("it is kept nowhere")
	}
}
