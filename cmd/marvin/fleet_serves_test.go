package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// A worker works in the directories that it serves, and what is below them; a line that leads
// out of them, by a path or a link, fails and says so.
func TestFleetServesItsDirectories(t *testing.T) {
	t.Parallel()
	served, outside := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(served, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(served, "link")); err != nil {
		t.Fatal(err)
	}
	lines := []string{
		`{"id":"same","prompt":"x","working_dir":"` + served + `"}`,
		`{"id":"below","prompt":"x","working_dir":"` + served + `/below"}`,
		`{"id":"up","prompt":"x","working_dir":"` + served + `/below/../../` + filepath.Base(outside) + `"}`,
		`{"id":"link","prompt":"x","working_dir":"` + served + `/link"}`,
		`{"id":"relative","prompt":"x","working_dir":".."}`,
		`{"id":"home","prompt":"x","working_dir":"~"}`,
	}
	f := newFleet(t, func(string) modeltest.Step { return modeltest.Text("done") }, lines)
	w := f.worker("--serve", served)
	stdout, stderr, _ := ends(t, f.batch)
	results := resultsIn(t, stdout)
	if len(results) != len(lines) {
		t.Fatalf("%d results\n%s%s%s", len(results), stdout, stderr, w.said())
	}
	for _, r := range results {
		if inside := r.ID == "same" || r.ID == "below"; inside && r.Error != "" || !inside && !strings.Contains(r.Error, "is not served by this worker, which serves "+served) {
			t.Errorf("%s: %s %q", r.ID, r.Outcome, r.Error)
		}
	}
}
