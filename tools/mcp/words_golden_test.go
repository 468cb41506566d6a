package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/tools"
)

// paired returns a session with a server of the SDK in the same process.
func paired(t *testing.T, server *sdk.Server) *Session {
	t.Helper()
	s := &Session{Name: "odd", running: map[string]*activeCall{}, traffic: newTraffic(time.Now, func(string) {}), ground: Ground{Now: func() time.Time { return time.Unix(1_700_000_000, 0) }}}
	ours, theirs := sdk.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Run(ctx, theirs) // ends with the session
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "marvin", Version: "1"}, &sdk.ClientOptions{ElicitationHandler: s.elicit, CreateMessageHandler: s.sample, ProgressNotificationHandler: s.showProgress})
	var err error
	if s.client, err = client.Connect(ctx, ours, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.client.Close(); stop(); <-done })
	return s
}

func TestServerTexts(t *testing.T) {
	var out strings.Builder
	show := func(what string, value any, err error) {
		encoded, failed := json.Marshal(value)
		fmt.Fprintf(&out, "%s: %s %v\n", what, encoded, errors.Join(err, failed))
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "odd", Version: "2"}, nil)
	yes := true
	results := map[string]*sdk.CallToolResult{
		"nothing": {}, "blanks": {Content: []sdk.Content{&sdk.TextContent{Text: " \n"}}}, "fails": {IsError: true}, "failed": {IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "no such thing"}}},
		"structured": {StructuredContent: map[string]any{"a": 1}},
		"many":       {Content: []sdk.Content{&sdk.TextContent{Text: "one"}, &sdk.TextContent{Text: "two\u202e"}, &sdk.ResourceLink{URI: "file:///x", Name: "x"}, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "r:1", Text: "inside"}}, &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "r:2", MIMEType: "x/y", Blob: []byte("ab")}}, &sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("abc")}}},
	}
	for name, result := range results {
		tool := &sdk.Tool{Name: name, Description: "Does " + name + ".", InputSchema: json.RawMessage(`{"type":"object"}`)}
		switch name {
		case "many":
			tool.Annotations = &sdk.ToolAnnotations{ReadOnlyHint: true}
		case "fails":
			tool.Annotations = &sdk.ToolAnnotations{DestructiveHint: &yes}
		case "failed":
			tool.Annotations = &sdk.ToolAnnotations{}
		}
		server.AddTool(tool, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return result, nil })
	}
	prompt := func(name string, args []*sdk.PromptArgument, said ...*sdk.PromptMessage) {
		server.AddPrompt(&sdk.Prompt{Name: name, Description: "About\u202e " + name, Arguments: args}, func(_ context.Context, request *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			var all []*sdk.PromptMessage
			for _, one := range said {
				text, ok := one.Content.(*sdk.TextContent)
				if ok {
					one = &sdk.PromptMessage{Role: one.Role, Content: &sdk.TextContent{Text: text.Text + fmt.Sprint(request.Params.Arguments)}}
				}
				all = append(all, one)
			}
			return &sdk.GetPromptResult{Messages: all}, nil
		})
	}
	prompt("plain", nil, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: "Say hello. "}}, &sdk.PromptMessage{Role: "assistant", Content: &sdk.TextContent{Text: "Hello. "}})
	prompt("wants", []*sdk.PromptArgument{{Name: "topic", Description: "What", Required: true}, {Name: "tone"}}, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: "Write. "}})
	prompt("empty", nil, &sdk.PromptMessage{Role: "user", Content: &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "r", Text: ""}}})
	prompt("silent", nil)
	prompt("bad name!", nil)
	server.AddResource(&sdk.Resource{URI: "note:1", Name: "one", Description: "a note"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "note:1", Text: "words"}, {URI: "note:1b", Text: "more"}}}, nil
	})
	server.AddResource(&sdk.Resource{URI: "blob:2", Name: "two"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "blob:2", Blob: []byte("raw")}}}, nil
	})
	server.AddResource(&sdk.Resource{URI: "broken:3", Name: "three"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return nil, errors.New("it is gone")
	})
	s := paired(t, server)
	manifest, err := s.Tools(t.Context())
	show("manifest", manifest, err)
	env := tools.Env{Progress: func(string) {}}
	for _, name := range append(slices.Sorted(func(yield func(string) bool) {
		for name := range results {
			if !yield(name) {
				return
			}
		}
	}), "gone") {
		output, err := s.Call(t.Context(), env, name, json.RawMessage(`{}`))
		show("call of "+name, output.Text, err)
	}
	for _, prompt := range manifest.Prompts {
		for _, words := range []string{"", "a word", "tone=dry topic=the sea and all", "tone=dry", "topic=x tone=", "other=1"} {
			text, err := s.Prompt(t.Context(), prompt, words)
			show(fmt.Sprintf("prompt %s (%s) %q", prompt.Name, prompt.Usage(), words), text, err)
		}
	}
	for _, uri := range []string{"", "note:1", "blob:2", "broken:3", "made:up"} {
		text, err := s.ReadListed(t.Context(), uri)
		show("read "+uri, text, err)
	}
	bare := paired(t, sdk.NewServer(&sdk.Implementation{Name: "bare", Version: "0"}, nil))
	manifest, err = bare.Tools(t.Context())
	show("a bare one", manifest, err)
	text, err := bare.ReadListed(t.Context(), "")
	show("read of it", text, err)
	for _, text := range []string{"$A ${B}", "$$A", "$", "${", "a$NONE!", "$A$A"} {
		show("expanded "+text, expand(text, func(name string, _ bool) string { return map[string]string{"A": "1", "B": "two"}[name] }), nil)
	}
	goldentest.Assert(t, "words.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestServerRequests(t *testing.T) {
	var out strings.Builder
	var reply tools.Reply
	var failed error
	schema := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"Yours"},"n":{"type":"integer","default":3},"on":{"type":"boolean"},"one":{"type":"string","enum":["a","b"]}},"required":["n"]}`)
	ask := func(s *Session, params sdk.ElicitParams) {
		got, err := s.elicit(t.Context(), &sdk.ElicitRequest{Params: &params})
		if err != nil {
			fmt.Fprintf(&out, "  told %v\n", err)
			return
		}
		encoded, err := json.Marshal(got.Content)
		fmt.Fprintf(&out, "  told %s %s %v\n", got.Action, encoded, err)
	}
	ask(&Session{Name: "odd"}, sdk.ElicitParams{Message: "Nobody calls."})
	for _, row := range []struct {
		name   string
		person bool
		reply  tools.Reply
		failed error
	}{
		{"nobody is there", false, tools.Reply{}, nil},
		{"it is answered", true, tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Values: map[string]any{"n": 3, "name": "ann"}}}, nil},
		{"it is refused", true, tools.Reply{Answer: messages.Answer{Choice: messages.No}}, nil},
		{"nobody answers", true, tools.Reply{Answer: messages.Answer{Choice: messages.Yes}, Unanswered: "late"}, nil},
		{"it fails", true, tools.Reply{}, errors.New("gone")},
	} {
		fmt.Fprintf(&out, "# %s\n", row.name)
		reply, failed = row.reply, row.failed
		env := tools.Env{Progress: func(string) {}}
		env.Person, env.Ask = row.person, func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
			encoded, err := json.Marshal(inquiry.Fields)
			fmt.Fprintf(&out, "  asked %s %q %q %s %v\n", inquiry.Kind, inquiry.Title, inquiry.Detail, encoded, err)
			return reply, failed
		}
		s := &Session{Name: "odd", running: map[string]*activeCall{"call-9": {}, "call-10": {env: env, ctx: t.Context()}}}
		for _, wanted := range []any{schema, json.RawMessage(`{"type":"object","properties":{}}`), schema, schema} {
			ask(s, sdk.ElicitParams{Message: "Who\u202e?", RequestedSchema: wanted})
		}
		s.running["call-10"].asked = 0
		ask(s, sdk.ElicitParams{Mode: "url", Message: "Go there."})
	}
	for _, row := range []*sdk.CreateMessageParams{
		{},
		{SystemPrompt: " Be brief. "},
		{SystemPrompt: "Be brief.", Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "Hi"}}}},
		{Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "Hi"}}, {Role: "assistant", Content: &sdk.TextContent{Text: "Yes?"}}}},
		{Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.ImageContent{}}}},
		{Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: strings.Repeat("x", longestSample+1)}}}},
	} {
		words, err := wordsOf(row)
		fmt.Fprintf(&out, "asked of the model: %q %v\n", words, err)
	}
	if words, err := wordsOf(&sdk.CreateMessageParams{SystemPrompt: strings.Repeat("x", longestSample)}); len(words) != longestSample || err != nil {
		t.Errorf("%d bytes, %v", len(words), err)
	}
	goldentest.Assert(t, "asked.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
