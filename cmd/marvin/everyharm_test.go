package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
)

// hostile is a value that would do harm if it became part of an option, a header, a path or a
// command.
const hostile = "--exec=touch PWNED\r\nX-Evil: yes\r\n; touch PWNED; $(touch PWNED) `touch PWNED` ' \" || touch PWNED ../../PWNED"

// programParameters lists parameters whose value is a program.
var programParameters = map[string]bool{"run_command.command": true, "blender_execute_code.code": true, "tk.args": true}

func TestNoValueBecomesAnOptionAHeaderOrACommand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for _, tool := range b.registry.All() {
		for name, of := range schemaOf(t, tool).Properties {
			if programParameters[tool.Name+"."+name] {
				continue
			}
			var value any
			switch {
			case of.Type == "string" && len(of.Enum) == 0:
				value = hostile
			case of.Type == "array":
				value = []string{hostile}
			default:
				continue
			}
			if output, err := b.call(t.Context(), t, tool, map[string]any{name: value}); err == nil && output.Text == "" {
				t.Errorf("%s with a hostile %s said nothing", tool.Name, name)
			}
		}
	}
	b.mu.Lock()
	for _, request := range b.requests {
		if request.Header.Get("X-Evil") != "" {
			t.Errorf("%s %s carries a header that came from an argument", request.Header.Get("X-Asked-Host"), request.URL)
		}
	}
	b.mu.Unlock()
	for _, dir := range []string{b.env.Home, b.env.Dir, b.programs, "."} {
		if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "PWNED" {
				t.Errorf("a command ran: %s", path)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	b.checkCalls(t)
}

// checkCalls looks for the hostile value among the options of the programs that were called.
func (b *bench) checkCalls(t *testing.T) {
	t.Helper()
	for _, name := range played {
		noted, err := os.ReadFile(filepath.Join(b.programs, name+".calls"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(noted, []byte("\x00\n")) {
			args := strings.Split(string(line), "\x00")
			end := slices.Index(args, "--")
			for i, arg := range args {
				if strings.HasPrefix(arg, "--exec") && (end < 0 || i < end) {
					t.Errorf("%s was called with the value as an option: %q", name, args)
				}
			}
		}
	}
}

// contents returns every file below a directory with its content.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if entry.Type()&fs.ModeSymlink != 0 { // the older name of a directory of Marvin's
			all[path], err = os.Readlink(path)
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = string(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A tool that is declared as reading changes no file of the user. It asks services with GET, or
// with POST if the service only searches with it.
func TestEveryToolThatReadsOnlyReads(t *testing.T) {
	b := newBench(t)
	b.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) })
	if err := os.WriteFile(filepath.Join(b.env.Dir, "a.txt"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	searched := []string{"html.duckduckgo.com", "lite.duckduckgo.com", "places.googleapis.com", "overpass-api.de"}
	count := 0
	for _, tool := range b.registry.All() {
		if tool.Effect != tools.Reads {
			continue
		}
		count++
		before := [2]map[string]string{contents(t, b.env.Dir), contents(t, b.env.Home)}
		_, _ = b.call(t.Context(), t, tool, nil)
		after := [2]map[string]string{contents(t, b.env.Dir), contents(t, b.env.Home)}
		for i := range before {
			for path, content := range after[i] {
				if old, was := before[i][path]; (!was || old != content) && !strings.Contains(path, "/.cache/") {
					t.Errorf("%s says that it reads, and wrote %s", tool.Name, path)
				}
			}
			for path := range before[i] {
				if _, still := after[i][path]; !still {
					t.Errorf("%s says that it reads, and removed %s", tool.Name, path)
				}
			}
		}
		b.mu.Lock()
		for _, request := range b.requests {
			host := request.Header.Get("X-Asked-Host")
			if request.Method != http.MethodGet && (request.Method != http.MethodPost || !slices.Contains(searched, host)) {
				t.Errorf("%s says that it reads, and sent %s to %s", tool.Name, request.Method, host)
			}
		}
		b.requests = nil
		b.mu.Unlock()
	}
	if count < 60 {
		t.Errorf("only %d tools say that they read", count)
	}
}
