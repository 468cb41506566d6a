package projects

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestAProjectIsRememberedByItsRealPath(t *testing.T) {
	h, dir, link := store.Open(t.TempDir(), storetest.Now), t.TempDir(), filepath.Join(t.TempDir(), "link")
	storetest.Must(t, os.Symlink(dir, link))
	spec := Text{Text: "the spec", Name: ".marvin/spec.md"}
	learn := func(project *Project) { project.Named[spec.Name] = spec.Hash() }
	storetest.Must(t, New(h).Change(link, learn))
	known, err := New(h).Get(dir)
	if err != nil || known.Named[spec.Name] != spec.Hash() || known.Always || len(known.Used) != 0 || known.Seen != "2026-02-14" {
		t.Errorf("%+v, %v", known, err)
	}
	if other, err := New(h).Get(t.TempDir()); err != nil || other.Named != nil {
		t.Errorf("another directory: %+v, %v", other, err)
	}
	if (Text{Text: "the Spec"}).Hash() == spec.Hash() {
		t.Error("another content has the same hash")
	}
	before, err := os.Stat(h.Path("projects.json"))
	storetest.Must(t, err)
	storetest.Must(t, New(h).Change(dir, learn))
	if after, err := os.Stat(h.Path("projects.json")); err != nil || !os.SameFile(before, after) || before.Mode().Perm() != 0o600 {
		t.Errorf("what changes nothing is written: %v, %v", after, err)
	}
}

func TestProjectsSeenLongestAgoAreForgotten(t *testing.T) {
	clock := storetest.Noon
	h := store.Open(t.TempDir(), func() time.Time { return clock })
	var all []string
	for n := range projectLimit {
		all = append(all, fmt.Sprintf(`"/p%04d": {"always": true, "seen": "2025-01-01"}`, n))
	}
	storetest.Put(t, h.Path("projects.json"), `{"directories": {`+strings.Join(all, ",")+`}, "later": 1}`)
	storetest.Must(t, New(h).Change("/new", func(project *Project) { project.Always = true }))
	for dir, want := range map[string]bool{"/new": true, "/p0000": false, "/p0001": true, "/p0199": true} {
		if known, err := New(h).Get(dir); err != nil || known.Always != want {
			t.Errorf("%s: %+v, %v", dir, known, err)
		}
	}
	if !strings.Contains(storetest.Get(t, h.Path("projects.json")), `"later": 1`) {
		t.Error("what a later Marvin wrote is lost")
	}
}
