package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"marvin/persistence/settings"
)

func TestToolsOfAServerAreAsTheUserSays(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	manifest := Manifest{Tools: []Tool{{Name: "look", Doc: "Looks.", Schema: schema}, {Name: "send", Doc: "Sends.", Schema: schema}}}
	for _, row := range []struct {
		server settings.Server
		want   []string
	}{
		{settings.Server{}, []string{"mcp_office_look outside 1m0s", "mcp_office_send outside 1m0s"}},
		{settings.Server{Timeout: 5 * time.Second, Reads: []string{"look"}}, []string{"mcp_office_look reads 5s", "mcp_office_send outside 5s"}},
		{settings.Server{Reads: []string{"*"}}, []string{"mcp_office_look reads 1m0s", "mcp_office_send reads 1m0s"}},
	} {
		source, problems := NewSource("office", row.server, manifest, nil)
		var got []string
		for _, tool := range source.Tools {
			got = append(got, fmt.Sprintf("%s %s %s", tool.Name, tool.Effect, tool.Timeout))
		}
		if !slices.Equal(got, row.want) || len(problems) > 0 || source.Name != SourceName("office") {
			t.Errorf("%+v: %q, %q, want %q", row.server, got, problems, row.want)
		}
	}
}
