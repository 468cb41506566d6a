package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Every tool of the registry is called with plausible and with worse arguments. One local server
// plays all services. The programs are real scripts that record their arguments.

// bench is where all tools are called.
type bench struct {
	registry *toolbox.Registry
	env      tools.Env
	programs string // the directory of the scripts; each notes its calls in NAME.calls

	mu       sync.Mutex
	answer   http.HandlerFunc
	requests []*http.Request
}

// played lists programs that must not really run here.
var played = []string{
	"gh", "yt-dlp", "crontab", "notify-send", "gcloud", "arecord", "uv", "npm", "pip", "pip3", "apt-get", "sudo", "tk",
	"chromium", "firefox", "geckodriver", "where-am-i", "xdg-open", "nvidia-smi", "paplay", "aplay",
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{programs: t.TempDir()}
	home := t.TempDir()
	for _, name := range played {
		script := fmt.Sprintf("#!/bin/sh\nfor a in \"$@\"; do printf '%%s\\0' \"$a\"; done >> '%s/%s.calls'\nprintf '\\n' >> '%s/%s.calls'\nexit 1\n", b.programs, name, b.programs, name)
		if err := disktest.WriteProgram(filepath.Join(b.programs, name), []byte(script), 0o755); err != nil {
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
	b.registry = extensions.NewRegistry(state, client, time.Now)
	b.env = tools.Env{
		Home: home, State: state.State, Profile: profile.Dir, Dir: t.TempDir(), Coding: true, Now: time.Now,
		Environ:  []string{"PATH=" + b.programs, "HOME=" + home, "OMDB_API_KEY=k", "RAWG_API_KEY=k", "STEAM_API_KEY=k", "GNEWS_API_KEY=k", "NEWSAPI_KEY=k", "SPOTIFY_CLIENT_ID=k", "SPOTIFY_CLIENT_SECRET=k", "BLENDER_MCP_PORT=1", "PWD=" + home},
		Progress: func(string) {}, Room: 100_000, Seen: &tools.Stamps{},
		Conversation: tools.Conversation{
			SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}, Compact: func() {},
			SetPlan: func(messages.Plan) {},
			Ask: func(context.Context, tools.Inquiry) (tools.Reply, error) {
				return tools.Reply{Unanswered: "there is no user to ask"}, nil
			},
		},
	}
	return b
}

// everywhere sends each request to one server, whatever its host is.
type everywhere struct{ target *url.URL }

func (e everywhere) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	sent.Header.Set("X-Asked-Host", request.URL.Host)
	sent.URL.Scheme, sent.URL.Host, sent.Host = e.target.Scheme, e.target.Host, ""
	return http.DefaultTransport.RoundTrip(sent)
}

// asked returns the hosts that were asked since the last change of the answer.
func (b *bench) asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var hosts []string
	for _, request := range b.requests {
		hosts = append(hosts, request.Header.Get("X-Asked-Host"))
	}
	return hosts
}

func (b *bench) answers(handler http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answer, b.requests = handler, nil
}

// parameter is what a schema says of one.
type parameter struct {
	Type    string          `json:"type"`
	Says    string          `json:"description"`
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

// plausible returns a value for a parameter. It uses the parameter's name if the name says more
// than the type.
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

// call runs a tool with the required arguments and the given ones.
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
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	output, err := call.Run(ctx, b.env)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("%s %s did not end within %s", tool.Name, encoded, patience)
	}
	return output, err
}
