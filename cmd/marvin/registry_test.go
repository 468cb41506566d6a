package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/cli"
	clitool "marvin/cmd/marvin/internal/cli/tool"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence"
	"marvin/providers/tokens"
	"marvin/tools"
	"marvin/tools/toolbox"
)

func registry(t *testing.T) *toolbox.Registry {
	t.Helper()
	return extensions.NewRegistry(persistence.Open(t.TempDir(), time.Now), tools.NewHTTPClient(nil), time.Now)
}

func TestTheRegistryAsTableAndAsDocumentation(t *testing.T) {
	for golden, opts := range map[string]clitool.ListCommand{
		filepath.Join("testdata", "tools.golden"):     {},
		filepath.Join("..", "..", "docs", "tools.md"): {Markdown: true},
	} {
		var out bytes.Buffer
		if err := opts.Run(t.Context(), cli.World{Stdout: &out, Stderr: &out, Now: time.Now, Getenv: func(string) string { return "" }}, cli.Options{}); err != nil {
			t.Fatal(out.String())
		}
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != string(want) {
			t.Errorf("the tools changed; make golden rewrites %s", golden)
		}
	}
}

// Every tool is complete: it has a schema, documentation, examples that find it, and help for a
// wrong call.
func TestEveryToolIsWhole(t *testing.T) {
	all := registry(t)
	for _, tool := range all.All() {
		if _, err := tool.Schema(); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		if len(tool.Doc) < 20 || tool.Timeout <= 0 {
			t.Errorf("%s: documentation %q, timeout %s", tool.Name, tool.Doc, tool.Timeout)
		}
		if _, err := tool.Decode([]byte(`{"no_such_parameter":1}`)); err == nil || !strings.Contains(err.Error(), "Example: ") && !strings.Contains(err.Error(), "takes no parameters") {
			t.Errorf("%s: a wrong call gets %v", tool.Name, err)
		}
		if _, err := tool.Decode([]byte(`"cut off`)); err == nil {
			t.Errorf("%s: broken arguments were accepted", tool.Name)
		}
	}
}

// If there are more tools than fit, the first request contains only the most important ones and the
// search, in at most 8,000 tokens of schemas.
func TestSchemasOf115ToolsFitIntoTheFirstRequest(t *testing.T) {
	all := registry(t)
	type placeArgs struct {
		Place string  `json:"place" doc:"City or address, such as Uppsala"`
		Lat   float64 `json:"lat" doc:"Latitude in degrees" default:"0"`
		Max   int     `json:"max_results" doc:"How many results to list" default:"5" min:"1" max:"20"`
	}
	for n := len(all.All()); n < 115; n++ {
		all.Add(tools.New(tools.Def[placeArgs]{
			Name: fmt.Sprintf("service_%d_search", n), Doc: "Search one of the hundred services that a Marvin knows, by place or by position.",
			Run: func(context.Context, tools.Env, placeArgs) (tools.Output, error) { return tools.Output{}, nil },
		}))
	}
	offered := all.Offer(tools.Mode{Coding: true}, 0)
	tokens, names := 0, map[string]bool{}
	for _, tool := range offered {
		schema, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		names[tool.Name] = true
		tokens += tools.EstimateTokens(`{"type":"function","function":{"name":"","description":"","parameters":}},` + tool.Name + tool.Doc + string(schema))
	}
	if tokens > 8000 {
		t.Errorf("%d tools of %d cost about %d tokens", len(offered), len(all.All()), tokens)
	}
	for _, needed := range []string{"find_tools", "read_file", "apply_patch", "run_command", "code_grep"} {
		if !names[needed] {
			t.Errorf("%s is not offered", needed)
		}
	}
	t.Logf("%d tools of %d, about %d tokens", len(offered), len(all.All()), tokens)
}

// A chat begins with the tools that users need most, with complete descriptions, within 3,000
// tokens of OpenAI's tokenizer, which are 3,250 by our estimate. A coding conversation does not
// contain them.
func TestChatBeginsWithWhatUsersAskFor(t *testing.T) {
	all := registry(t)
	meter := new(tokens.Counter).MeterFor("openai", "gpt-5.1")
	offer := func(mode tools.Mode) (size int, names map[string]bool) {
		names = map[string]bool{}
		for _, tool := range all.Offer(mode, 0) {
			schema, err := tool.Schema()
			if err != nil {
				t.Fatal(err)
			}
			names[tool.Name] = true
			size += meter.Text(`{"type":"function","function":{"name":"","description":"","parameters":}},` + tool.Name + tool.Doc + string(schema))
		}
		return size, names
	}
	size, names := offer(tools.Mode{Person: true})
	if size > 3250 || size < 1000 {
		t.Errorf("a chat begins with %d tools of %d tokens", len(names), size)
	}
	for name := range strings.FieldsSeq("weather_forecast places_text_search get_directions calendar_list_upcoming calendar_add_event set_alarm timer_start write_note search_notes web_search browse_web search_news clock calculate convert_units find_tools") {
		if !names[name] {
			t.Errorf("a chat does not begin with %s", name)
		}
	}
	size, names = offer(tools.Mode{Coding: true, Person: true})
	if size > 3250 || names["weather_forecast"] || !names["apply_patch"] || !names["web_search"] {
		t.Errorf("coding begins with %d tools of %d tokens: %v", len(names), size, names)
	}
}
