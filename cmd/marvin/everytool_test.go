package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

// Every tool of the registry, each called as a model would and worse. The services
// are one local server that plays all of them, the programs are real scripts that
// note how they were called.

// bench is where all tools are called.
type bench struct {
	registry *tools.Registry
	env      tools.Env
	programs string // the directory of the scripts; each notes its calls in NAME.calls

	mu       sync.Mutex
	answer   http.HandlerFunc
	requests []*http.Request
}

// played are programs that must not really run here.
var played = []string{
	"gh", "yt-dlp", "lynx", "crontab", "notify-send", "gcloud", "arecord", "uv", "npm", "pip", "pip3", "apt-get", "sudo", "tk",
	"chromium", "firefox", "geckodriver", "where-am-i", "xdg-open", "nvidia-smi", "paplay", "aplay",
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{programs: t.TempDir()}
	home := t.TempDir()
	for _, name := range played {
		script := fmt.Sprintf("#!/bin/sh\nfor a in \"$@\"; do printf '%%s\\0' \"$a\"; done >> '%s/%s.calls'\nprintf '\\n' >> '%s/%s.calls'\nexit 1\n", b.programs, name, b.programs, name)
		if err := os.WriteFile(filepath.Join(b.programs, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"git", "bash", "sh", "cat", "true", "rg"} {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(b.programs, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		answer := b.answer
		b.requests = append(b.requests, r.Clone(context.Background()))
		b.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: everywhere{target}}
	t.Cleanup(client.CloseIdleConnections)
	state := persistence.Open(home, time.Now)
	profile := state.Profile("default")
	if err := os.MkdirAll(profile.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b.registry = newRegistry(state, client, time.Now)
	b.env = tools.Env{
		Home: home, State: state.State, Profile: profile.Dir, Dir: t.TempDir(), Coding: true, Now: time.Now,
		Environ:  []string{"PATH=" + b.programs, "HOME=" + home, "OMDB_API_KEY=k", "RAWG_API_KEY=k", "STEAM_API_KEY=k", "GNEWS_API_KEY=k", "NEWSAPI_KEY=k", "SPOTIFY_CLIENT_ID=k", "SPOTIFY_CLIENT_SECRET=k", "BLENDER_MCP_PORT=1", "PWD=" + home},
		Progress: func(string) {}, Room: 100_000, Seen: &tools.Stamps{},
		SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}, Compact: func() {},
	}
	return b
}

// everywhere sends each request to one server, whatever host it is for.
type everywhere struct{ target *url.URL }

func (e everywhere) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	sent.Header.Set("X-Asked-Host", request.URL.Host)
	sent.URL.Scheme, sent.URL.Host, sent.Host = e.target.Scheme, e.target.Host, ""
	return http.DefaultTransport.RoundTrip(sent)
}

func (b *bench) answers(handler http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer, b.requests = handler, nil
}

// parameter is what a schema says of one.
type parameter struct {
	Type    string          `json:"type"`
	Enum    []string        `json:"enum"`
	Minimum *float64        `json:"minimum"`
	Items   json.RawMessage `json:"items"`
}

type schema struct {
	Properties map[string]parameter `json:"properties"`
	Required   []string             `json:"required"`
}

func schemaOf(t *testing.T, tool tools.Tool) schema {
	t.Helper()
	encoded, err := tool.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var read schema
	if err := json.Unmarshal(encoded, &read); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	return read
}

// plausible is a value that fits a parameter, by its name where that says more than
// its type.
func plausible(name string, of parameter) any {
	switch {
	case len(of.Enum) > 0:
		return of.Enum[0]
	case of.Type == "number", of.Type == "integer":
		if of.Minimum != nil {
			return *of.Minimum
		}
		return 1
	case of.Type == "boolean":
		return true
	case of.Type == "array":
		return []any{plausible(name, parameter{Type: "string"})}
	case of.Type == "object":
		return map[string]any{}
	}
	if value, ok := map[string]string{
		"url": "https://example.org/a", "time": "30m", "start": "2026-12-01T10:00", "duration": "5m", "repo": "o/r", "path": "a.txt",
		"steam_id": "76561197960287930", "mbid": "5b11f4ce-a62d-471e-81fc-a69a8278c7da", "imdb_id": "tt0083658", "game_id": "1",
		"topic": "some-topic", "origin": "52.5,13.4", "destination": "48.1,11.6", "from_unit": "km", "to_unit": "miles", "key": "notes",
		"filename": "a.md", "target_lang": "de", "pattern": "a",
	}[name]; ok {
		return value
	}
	return "word"
}

// call runs a tool with the required arguments and those given.
func (b *bench) call(ctx context.Context, t *testing.T, tool tools.Tool, given map[string]any) (tools.Output, error) {
	t.Helper()
	shape := schemaOf(t, tool)
	args := map[string]any{}
	for _, name := range shape.Required {
		args[name] = plausible(name, shape.Properties[name])
	}
	for name, value := range given {
		args[name] = value
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Decode(encoded)
	if err != nil {
		return tools.Output{}, err
	}
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	output, err := call.Run(ctx, b.env)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("%s %s did not end within 20 s", tool.Name, encoded)
	}
	return output, err
}

func TestEveryToolHasItsShareOfTokensAndExamples(t *testing.T) {
	b := newBench(t)
	core := 0
	for _, tool := range b.registry.All() {
		encoded, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		share := tools.EstimateTokens(tool.Name + tool.Doc + string(encoded))
		if tool.Core {
			core += share
		}
		if share > 440 { // launch_agent, which takes lists of tasks, has 431; most have a fourth of that
			t.Errorf("%s takes %d tokens", tool.Name, share)
		}
		if tool.Doc == "" || tool.Name != "find_tools" && len(tool.Examples) < 2 {
			t.Errorf("%s has %d example requests and the description %q", tool.Name, len(tool.Examples), tool.Doc)
		}
	}
	if core > 8000 {
		t.Errorf("the first request carries %d tokens of schemas", core)
	}
}

func TestEveryToolHelpsWithBadArguments(t *testing.T) {
	b := newBench(t)
	for _, tool := range b.registry.All() {
		shape := schemaOf(t, tool)
		if len(shape.Required) > 0 {
			if _, err := tool.Decode([]byte(`{}`)); err == nil || !strings.Contains(err.Error(), "is required") || !strings.Contains(err.Error(), "Example") {
				t.Errorf("%s without arguments: %v", tool.Name, err)
			}
		}
		for name, of := range shape.Properties {
			if of.Type == "object" || of.Type == "array" {
				continue
			}
			args, err := json.Marshal(map[string]any{name: map[string]int{"a": 1}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tool.Decode(args); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s with an object for %s: %v", tool.Name, name, err)
			}
		}
		if _, err := tool.Decode([]byte(`{"no_such_parameter":1}`)); err == nil || !strings.Contains(err.Error(), "no_such_parameter") {
			t.Errorf("%s with an unknown parameter: %v", tool.Name, err)
		}
	}
}

// hostile is a value that would do harm wherever it was put together with something
// else to an option, a header, a path or a command.
const hostile = "--exec=touch PWNED\r\nX-Evil: yes\r\n; touch PWNED; $(touch PWNED) `touch PWNED` ' \" || touch PWNED ../../PWNED"

// programParameters are parameters that are programs by their meaning.
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

// checkCalls looks for values among the options of the programs that were called.
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

func TestEveryToolEndsSoonAfterACancel(t *testing.T) {
	b := newBench(t)
	b.answers(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server notice that nobody waits
		<-r.Context().Done()
	})
	for _, tool := range b.registry.All() {
		ctx, cancel := context.WithCancel(t.Context())
		stop := time.AfterFunc(30*time.Millisecond, cancel)
		begun := time.Now()
		_, _ = b.call(ctx, t, tool, nil)
		if took := time.Since(begun); took > time.Second {
			t.Errorf("%s took %s after its cancel", tool.Name, took)
		}
		stop.Stop()
		cancel()
	}
}

// Answers that no service should give: too long, not text, not what was asked for.
func TestEveryToolBearsWhatServicesShouldNotAnswer(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte("a"), 1<<20)
	for name, answer := range map[string]http.HandlerFunc{
		"30 MB of JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"results":[{"title":"`)
			for range 30 {
				if _, err := w.Write(huge); err != nil {
					return
				}
			}
		},
		"bytes": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("\x00\xff\xfe\x1b]0;title\x07\x9b31m"))
		},
		"another type": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[[],{"a":null},"text",1e999]`) },
		"nulls":        func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `null`) },
		"nothing":      func(http.ResponseWriter, *http.Request) {},
		"503": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>\x1b[2J down", http.StatusServiceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of it is politeness: pauses between requests
			b := newBench(t)
			b.answers(answer)
			for _, tool := range b.registry.All() {
				if tool.Pool != tools.Net {
					continue
				}
				output, err := b.call(t.Context(), t, tool, nil)
				if len(output.Text) > 256<<10 {
					t.Errorf("%s gave %d bytes", tool.Name, len(output.Text))
				}
				if err != nil && len(err.Error()) > 8<<10 {
					t.Errorf("%s gave an error of %d bytes", tool.Name, len(err.Error()))
				}
				if output.Text == "" && err == nil {
					t.Errorf("%s said nothing", tool.Name)
				}
			}
		})
	}
}

// contents is every file below a directory with its content.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
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

// A tool that says that it only reads changes no file of the user's and asks services
// with GET, or with the POST by which some of them are searched.
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
