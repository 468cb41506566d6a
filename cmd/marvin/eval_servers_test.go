package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// Limits for a conversation with 1,000 MCP tools and for a search among them.
const (
	mostServerTokens = 8000
	leastServersHit  = 0.95
)

// serversShelf returns a shelf with Marvin's own tools and the tools in testdata/eval/servers.txt,
// as MCP servers would offer them.
func serversShelf(t *testing.T, only ...string) (*toolbox.Shelf, map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "eval", "servers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	shelf := toolbox.NewShelf(extensions.NewRegistry(persistence.Open("", time.Now), tools.NewHTTPClient(nil), time.Now))
	names := map[string]string{}
	for _, block := range strings.Split(string(text), "\n= ")[1:] {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		server, about, _ := strings.Cut(lines[0], " | ")
		if len(only) > 0 && !slices.Contains(only, server) {
			continue
		}
		var manifest mcp.Manifest
		add := func(name, doc, schema string) {
			manifest.Tools = append(manifest.Tools, mcp.Tool{Name: name, Doc: doc, Schema: json.RawMessage(schema)})
			names[server+"."+name] = toolbox.ForeignName("mcp", server, name)
		}
		for _, line := range lines[1:] {
			parts := strings.Split(line[2:], " | ")
			if line[0] == '*' {
				add(parts[0], parts[1], `{"type":"object","properties":{"id":{"type":"string"},"options":{"type":"object"}}}`)
				continue
			}
			one, many, is := parts[0], parts[1], parts[2]
			plural := strings.ReplaceAll(many, " ", "_")
			add("list_"+plural, fmt.Sprintf("List %s in %s, page by page", many, about), `{"type":"object","properties":{"cursor":{"type":"string"},"limit":{"type":"integer"}}}`)
			add("get_"+one, fmt.Sprintf("Get %s by its id", is), `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
			add("create_"+one, fmt.Sprintf("Create %s", is), `{"type":"object","properties":{"name":{"type":"string"},"fields":{"type":"object"}},"required":["name"]}`)
			add("update_"+one, fmt.Sprintf("Change %s", is), `{"type":"object","properties":{"id":{"type":"string"},"fields":{"type":"object"}},"required":["id"]}`)
			add("delete_"+one, fmt.Sprintf("Delete %s", is), `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
		}
		source, problems := mcp.NewSource(server, settings.Server{Command: []string{"x"}}, manifest, nil)
		if problems = append(problems, shelf.Add(source)...); len(problems) > 0 {
			t.Fatal(problems)
		}
	}
	return shelf, names
}

// Among a thousand tools of servers, the wanted tool is one of the first five in 95 % of the
// queries, and the first request does not grow with the number of tools.
func TestHeldOutQueriesFindToolsOfServers(t *testing.T) {
	shelf, names := serversShelf(t)
	mode := tools.Mode{Coding: true, Person: true}
	registry := shelf.CurrentSnapshot()
	if got := len(names); got < 1000 {
		t.Fatalf("there are %d tools of servers", got)
	}
	tokens := 0
	for _, tool := range registry.Offer(mode, 0) {
		schema, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		tokens += tools.EstimateTokens(tool.Name + tool.Doc + string(schema))
	}
	if tokens > mostServerTokens {
		t.Errorf("%d tokens of schemas", tokens)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "eval", "queries_servers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	asked, found := 0, 0
	for _, line := range strings.Split(string(text), "\n") {
		query, wanted, ok := strings.Cut(line, " = ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		asked++
		var right, got []string
		for _, name := range strings.Split(wanted, ", ") {
			if names[name] == "" {
				t.Fatalf("there is no tool %s", name)
			}
			right = append(right, names[name])
		}
		for _, hit := range registry.FindFitting(query, mode, 5) {
			got = append(got, hit.Tool.Name)
		}
		if slices.ContainsFunc(got, func(name string) bool { return slices.Contains(right, name) }) {
			found++
		} else if os.Getenv("EVAL") != "" {
			t.Logf("%s: wanted %v, found %v", query, right, got)
		}
	}
	t.Logf("%d tools of servers, %d tokens; %d of %d queries (%.3f) find theirs among five", len(names), tokens, found, asked, float64(found)/float64(asked))
	if asked < 200 || float64(found) < leastServersHit*float64(asked) {
		t.Errorf("%d of %d queries find their tool", found, asked)
	}
}

// If servers do something else, the search still reports that no tool fits.
func TestHeldOutQueriesForWhatNoServerDoes(t *testing.T) {
	shelf, _ := serversShelf(t, "filesystem", "memory", "kubernetes", "sentry", "postgres")
	mode := tools.Mode{Coding: true, Person: true}
	negative, silent := 0, 0
	for _, name := range []string{"queries.txt", "queries_fresh.txt", "queries_own.txt", "queries4.txt", "queries5.txt", "queries6.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", "eval", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			query, right, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if !ok || line[0] == '#' || !strings.Contains(right, "nothing") {
				continue
			}
			negative++
			found := shelf.CurrentSnapshot().FindFitting(query, mode, 5)
			if len(found) == 0 || slices.Contains(strings.Split(right, "|"), found[0].Tool.Name) {
				silent++
			} else if os.Getenv("EVAL") != "" {
				t.Logf("%s: %s %.2f", query, found[0].Tool.Name, found[0].Covered)
			}
		}
	}
	t.Logf("%d queries for what no tool does, %d told so", negative, silent)
	if negative < 50 || float64(silent) < 0.9*float64(negative) {
		t.Errorf("%d of %d told that there is nothing", silent, negative)
	}
}
