package mcpservers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/tools"
)

// Resources returns a function that reads a resource of a server, or nil if there are no servers.
func (d Client) Resources() func(ctx context.Context, server, uri string) (string, error) {
	if len(d.deps.Others.Servers()) == 0 {
		return nil
	}
	return func(ctx context.Context, server, uri string) (string, error) {
		entries := d.deps.Others.Servers()
		if entry, ok := entries[server]; !ok || entry.Off {
			return "", fmt.Errorf("no MCP server in use has the name %s; the configured servers are %s", tools.Visible(server), strings.Join(slices.Sorted(maps.Keys(entries)), ", "))
		}
		session, err := d.Session(ctx, server, nil)
		if err != nil {
			return "", err
		}
		return session.ReadListed(ctx, uri)
	}
}
