package main

import (
	"encoding/json"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestTheBuiltInAssistantReadsOnlyTheServersThatItIsAskedFor(t *testing.T) {
	t.Parallel()
	all := registry(t)
	for request, want := range map[string]struct{ calls, read string }{
		"read README.md":                     {calls: "read_file"},
		"what is the colour of the sky like": {},
		"schreib mir ein Gedicht":            {},
		`mcp_post_track_parcel {"id":"7"}`:   {calls: "mcp_post_track_parcel", read: "post"},
		"mcp zoo feed lions":                 {calls: "mcp_zoo_feed_lions", read: "zoo"},
	} {
		shelf, read := toolbox.NewShelf(all), []string{}
		sources := []toolbox.Source{ofServer(t, "post", "mcp_post_track_parcel", `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`), ofServer(t, "zoo", "mcp_zoo_feed_lions", `{"type":"object"}`)}
		open := func(name string) {
			for _, source := range sources {
				if source.Name == name {
					read = append(read, name)
					shelf.AddKnown(source)
				}
			}
		}
		shelf.Fill(toolbox.Stock{
			Open: open,
			Fill: func() { open("post"); open("zoo") },
			Known: func() ([]toolbox.Summary, bool) {
				return []toolbox.Summary{toolbox.Summarize(sources[0]), toolbox.Summarize(sources[1])}, true
			},
		})
		model := offline.New(app.Finder{Registry: shelf, Mode: tools.Mode{Coding: true, Person: true}, Dir: t.TempDir()})
		reply, err := model.Respond(t.Context(), providers.Question{
			Messages: []messages.Message{{Role: messages.User, Text: request}}, Tools: []providers.ToolSpec{{Name: "find_tools"}},
		}, func(providers.Part) {})
		var calls []string
		for _, call := range reply.Calls {
			calls = append(calls, call.Name)
		}
		if err != nil || strings.Join(calls, " ") != want.calls || strings.Join(read, " ") != want.read {
			t.Errorf("%s: called %v, read %v, %v: %s", request, calls, read, err, reply.Text)
		}
	}
}

// ofServer returns a source with one tool of a server.
func ofServer(t *testing.T, server, name, schema string) toolbox.Source {
	t.Helper()
	tool, err := tools.Raw(tools.Definition{Name: name, Doc: "It is of the server " + server + ".", Schema: json.RawMessage(schema), Effect: tools.Reads})
	if err != nil {
		t.Fatal(err)
	}
	return toolbox.Source{Name: server, Tools: []tools.Tool{tool}}
}
