package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/settings"
	"marvin/tools"
)

// answering is a server that replies to a call, a resource and a prompt as configured.
type answering struct {
	result sdk.CallToolResult
	read   []*sdk.ResourceContents
	prompt []*sdk.PromptMessage
	fails  error
}

func (a *answering) begin(t *testing.T, resources, prompts int) *Session {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "far", Version: "2"}, nil)
	server.AddTool(&sdk.Tool{Name: "answer", Description: "Answers.", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &a.result, a.fails
	})
	for i := range resources {
		server.AddResource(&sdk.Resource{URI: fmt.Sprintf("far://%04d", i), Name: fmt.Sprint("n", i)}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: a.read}, a.fails
		})
	}
	for i := range prompts {
		server.AddPrompt(&sdk.Prompt{Name: fmt.Sprintf("p%03d", i)}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: a.prompt}, a.fails
		})
	}
	upstream := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(upstream.Close)
	return begun(t, settings.Server{URL: upstream.URL}, ground(t))
}

// TestServerAnswers covers every kind of reply: text, structured content, pictures, resources,
// empty replies, failures.
func TestServerAnswers(t *testing.T) {
	a := &answering{}
	session := a.begin(t, 2, 1)
	var out strings.Builder
	text := func(said string) sdk.Content { return &sdk.TextContent{Text: said} }
	for _, row := range []struct {
		result sdk.CallToolResult
		fails  error
	}{
		{sdk.CallToolResult{Content: []sdk.Content{text("one"), text("two")}}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{}}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{text(" ")}}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"a": 1}}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{text("told")}, StructuredContent: map[string]any{"a": 1}}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{text("it broke")}, IsError: true}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{}, IsError: true}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"why": "b"}, IsError: true}, nil},
		{sdk.CallToolResult{Content: []sdk.Content{&sdk.ResourceLink{URI: "far://x", Name: "x"}, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "far://y", Text: "why"}}, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "far://z", MIMEType: "a/b", Text: ""}}}}, nil},
		{sdk.CallToolResult{}, errors.New("refused by the server")},
	} {
		a.result, a.fails = row.result, row.fails
		output, err := session.Call(t.Context(), tools.Env{}, "answer", json.RawMessage(`{}`))
		fmt.Fprintf(&out, "call: %q, %d pictures, %v\n", output.Text, len(output.Pictures), err)
	}
	a.fails = nil
	_, err := session.Call(t.Context(), tools.Env{}, "none", json.RawMessage(`{}`))
	fmt.Fprintf(&out, "no such tool: %v, lost %t\n", err, errors.Is(err, ErrLost))
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the person said stop"))
	_, err = session.Call(stopped, tools.Env{}, "answer", json.RawMessage(`{}`))
	fmt.Fprintf(&out, "stopped: %v\n", err)
	if len(session.running) > 0 {
		t.Errorf("%d calls are taken for running", len(session.running))
	}
	for _, read := range [][]*sdk.ResourceContents{
		{{URI: "far://0000", Text: "words"}}, {{URI: "far://0000", Blob: []byte{}}}, {{URI: "far://0000", Blob: []byte("bytes")}}, {{URI: "far://0000", Text: "words", Blob: []byte("bytes")}}, {{URI: "a", Blob: []byte("bytes"), MIMEType: "x/y"}, {URI: "b", Text: "words"}}, {},
	} {
		a.read = read
		said, err := session.Read(t.Context(), "far://0000")
		listed, failed := session.ReadListed(t.Context(), "far://0001")
		fmt.Fprintf(&out, "read: %q, %v, the same as listed %t, %v\n", said, err, said == listed, failed)
	}
	for _, uri := range []string{"", "far://none"} {
		said, err := session.ReadListed(t.Context(), uri)
		fmt.Fprintf(&out, "listed %q: %q, %v\n", uri, said, err)
	}
	for _, prompt := range [][]*sdk.PromptMessage{
		{{Role: "user", Content: text("ask")}, {Role: "assistant", Content: text("answer")}}, {{Role: "user", Content: text(" \n")}}, {}, {{Role: "user", Content: text("a\x1b\u200bb")}}, {{Role: "user", Content: text(strings.Repeat("long\n", 60_000))}},
	} {
		a.prompt = prompt
		said, err := session.Prompt(t.Context(), Prompt{Name: "p000"}, "")
		fmt.Fprintf(&out, "prompt: %d bytes %.60q, %v\n", len(said), said, err)
	}
	a.fails = errors.New("refused by the server")
	_, err = session.Read(t.Context(), "far://0000")
	fmt.Fprintf(&out, "refused: %v\n", err)
	_, err = session.Prompt(t.Context(), Prompt{Name: "p000"}, "")
	fmt.Fprintf(&out, "refused: %v\n", err)
	_, err = session.Prompt(t.Context(), Prompt{Name: "p000"}, "words")
	fmt.Fprintf(&out, "too much: %v\n", err)
	session.Close()
	for what, call := range map[string]func() error{
		"call": func() error {
			_, err := session.Call(t.Context(), tools.Env{}, "answer", json.RawMessage(`{}`))
			return err
		},
		"read":      func() error { _, err := session.Read(t.Context(), "far://0000"); return err },
		"resources": func() error { _, err := session.Resources(t.Context()); return err },
		"listed":    func() error { _, err := session.ReadListed(t.Context(), "far://0000"); return err },
		"prompt":    func() error { _, err := session.Prompt(t.Context(), Prompt{Name: "p000"}, ""); return err },
		"tools":     func() error { _, err := session.Tools(t.Context()); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "the server office") && !strings.Contains(err.Error(), "lost") {
			t.Errorf("%s behind the end: %v", what, err)
		}
	}
	goldentest.Assert(t, "answers.golden", regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(out.String(), "ADDRESS"), os.Getenv("UPDATE_GOLDEN") != "")
}

// Only a limited number of resources and prompts is used, and the result says so.
func TestNotAllOfAServerIsTakenIn(t *testing.T) {
	a := &answering{}
	session := a.begin(t, 501, mostPrompts+1)
	if list, err := session.Resources(t.Context()); len(list) != 500 || err != nil {
		t.Errorf("%d resources, %v", len(list), err)
	}
	manifest, err := session.Tools(t.Context())
	if err != nil || len(manifest.Prompts) != mostPrompts || len(manifest.Left) != 1 || manifest.Left[0] != "the server office has more than 100 prompts; the rest is left out" {
		t.Errorf("%d prompts, %q, %v", len(manifest.Prompts), manifest.Left, err)
	}
	exact := a.begin(t, 1, mostPrompts)
	if manifest, err := exact.Tools(t.Context()); err != nil || len(manifest.Prompts) != mostPrompts || len(manifest.Left) != 0 {
		t.Errorf("%d prompts, %q, %v", len(manifest.Prompts), manifest.Left, err)
	}
}

// A command of the user uses one connection to each server, until the connection is lost or the
// command ends.
func TestOneConnectionToEachServer(t *testing.T) {
	home := persistence.Open(t.TempDir(), nil)
	direct := &Direct{Servers: map[string]settings.Server{"one": played("well"), "two": played("well"), "bad": played("dies")}, Home: home, Ground: ground(t)}
	begin := func(name string) *Session {
		t.Helper()
		session, err := direct.Session(t.Context(), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	alive := func(session *Session) bool {
		_, err := say(t, session, tools.Env{}, "hello")
		return err == nil
	}
	one, two := begin("one"), begin("two")
	if begin("one") != one || one == two || !alive(one) || !alive(two) {
		t.Error("there is another connection to the same server")
	}
	direct.ReportLost("one", two) // this session belongs to another server
	if begin("one") != one || alive(two) {
		t.Error("what was lost is another one")
	}
	direct.ReportLost("one", one)
	again := begin("one")
	if again == one || alive(one) || !alive(again) {
		t.Error("what was lost is still there")
	}
	direct.Close()
	if alive(again) || !alive(begin("two")) {
		t.Error("a connection outlives all, or none begins afterwards")
	}
	for name, want := range map[string]string{"none": "there is no such server: none; \"marvin mcp list\" shows the servers", "bad": "no key was given"} {
		if session, err := direct.Session(t.Context(), name, nil); session != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	direct.Close()
}
