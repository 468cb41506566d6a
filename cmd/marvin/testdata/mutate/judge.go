package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// judge runs tests on changed code.
type judge struct {
	root      string
	dirs      map[string]string   // of packages, where their tests run
	importers map[string][]string // see packages
	users     bool
	clean     map[string]sound // of packages, without any change
}

// sound is what the tests of a package do while the code is right.
type sound struct {
	passes bool
	took   time.Duration
}

// verdict is what became of a change.
type verdict int

const (
	unseen  verdict = iota // every test passes
	seen                   // one fails, or never ends
	unbuilt                // the compiler noticed, which is no merit of a test
)

// most is how much memory a process of the tests may have to itself, in KB: a loop that
// never ends may also never stop taking memory. Of addresses Chromium takes far more.
const most = 12 << 20

// try says whether tests notice a change.
func (j *judge) try(c change) (verdict, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return unseen, err
	}
	defer os.RemoveAll(dir)
	overlay, err := c.overlay(j.root, dir)
	if err != nil {
		return unseen, err
	}
	judges := []string{c.path}
	if j.users {
		judges = append(judges, j.importers[c.path]...)
	}
	for _, one := range judges {
		sound, err := j.sound(one, dir)
		if err != nil {
			return unseen, err
		}
		if !sound.passes {
			continue
		}
		found, _, err := j.run(one, dir, overlay, 30*time.Second+10*sound.took)
		if err != nil || found != unseen {
			return found, err
		}
	}
	return unseen, nil
}

// sound runs the tests of a package without a change, once. Those that fail anyway, or are
// not there, judge nothing.
func (j *judge) sound(path, dir string) (sound, error) {
	if known, ok := j.clean[path]; ok {
		return known, nil
	}
	found, took, err := j.run(path, dir, "", 10*time.Minute)
	if err != nil {
		return sound{}, err
	}
	if found != unseen {
		fmt.Fprintf(os.Stderr, "mutate: the tests of %s fail without any change and judge nothing\n", path)
	}
	if j.clean == nil {
		j.clean = map[string]sound{}
	}
	j.clean[path] = sound{passes: found == unseen, took: took}
	return j.clean[path], nil
}

// run builds and runs the tests of a package.
func (j *judge) run(path, dir, overlay string, limit time.Duration) (verdict, time.Duration, error) {
	binary := filepath.Join(dir, "tests")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary)
	if overlay != "" {
		build.Args = append(build.Args, "-overlay", overlay)
	}
	build.Args = append(build.Args, path)
	build.Dir = j.root
	if out, err := build.CombinedOutput(); err != nil {
		if overlay == "" || len(out) == 0 {
			return unseen, 0, fmt.Errorf("go test -c %s: %w\n%s", path, err, out)
		}
		return unbuilt, 0, nil
	}
	if _, err := os.Stat(binary); errors.Is(err, os.ErrNotExist) { // it has no tests
		return unseen, 0, nil
	}
	defer os.Remove(binary)
	environ, err := environment(filepath.Join(dir, "home"))
	if err != nil {
		return unseen, 0, err
	}
	begun := time.Now()
	tests := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -d %d; exec nice "$@"`, most), "sh", binary, "-test.failfast", fmt.Sprint("-test.timeout=", limit))
	tests.Dir, tests.Env = j.dirs[path], environ
	tests.WaitDelay = 5 * time.Second // children of a test that was ended may hold its output
	if err := tests.Run(); err != nil {
		return seen, time.Since(begun), nil
	}
	return unseen, time.Since(begun), nil
}

// environment is that of tests: an empty home, and the caches of the Go command.
func environment(home string) ([]string, error) {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var caches map[string]string
	if err := json.Unmarshal(out, &caches); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	environ := append(slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "HOME=") }), "HOME="+home)
	for name, value := range caches {
		environ = append(environ, name+"="+value)
	}
	return environ, os.MkdirAll(home, 0o700)
}

// overlay writes the changed file, and what tells the Go command of it.
func (c change) overlay(root, dir string) (string, error) {
	path := filepath.Join(root, filepath.FromSlash(c.file))
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(path))
	text := string(source[:c.from]) + c.text + string(source[c.to:])
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return "", err
	}
	encoded, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, encoded, 0o600)
}
