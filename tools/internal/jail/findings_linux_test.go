package jail_test

import (
	"errors"
	"os"
	"testing"

	"marvin/tools/internal/jail"
)

// What a jailed command can change is told by the names on the way, not only by the end.
func TestFindingG3WhatCommandsCanWriteIsKnown(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	bin, cache := p.home+"/bin", p.home+"/.npm"
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.MkdirAll(cache+"/_npx", 0o755), os.MkdirAll(p.root+"/.venv/bin", 0o755),
		os.WriteFile(p.root+"/.venv/bin/git", nil, 0o755), os.WriteFile(bin+"/true", nil, 0o755),
		os.Symlink(p.root+"/.venv/bin/git", bin+"/git"), os.Symlink(bin, p.root+"/tools"), os.Symlink("loop", bin+"/loop")); err != nil {
		t.Fatal(err)
	}
	if !p.keeper.Writable(cache + "/_npx") {
		t.Error("a cache is not writable before the first jail")
	}
	if _, err := p.keeper.Jail(p.root); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		bin + "/true":              false,
		"/usr/bin/git":             false,
		p.root + "/.venv/bin/git":  true,
		bin + "/git":               true, // leads into the project
		p.root + "/tools/true":     true, // is led to by the project
		bin + "/../project/x":      true,
		p.root + "/absent/program": true,
		cache + "/_npx/x":          true,
		bin + "/loop":              true,
		"git":                      true,
	} {
		if got := p.keeper.Writable(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if (*jail.Keeper)(nil).Writable("/usr/bin/git") {
		t.Error("nothing is not writable by nobody")
	}
}
