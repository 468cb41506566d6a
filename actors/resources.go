package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/tools"
)

// resources reads what servers list, for the calls of an actor; nil without servers.
func resources(root *actor.RootContext, of *actor.PID, config *Config) func(ctx context.Context, server, uri string) (string, error) {
	if len(config.Others.now.servers()) == 0 {
		return nil
	}
	top, _, _ := strings.Cut(of.Id, "/")
	jobsClient := serverClient{root: root, table: actor.NewPID(of.Address, top+"/"+serversName), config: config}
	return func(ctx context.Context, server, uri string) (string, error) {
		entries := config.Others.now.servers()
		if entry, ok := entries[server]; !ok || entry.Off {
			return "", fmt.Errorf("there is no MCP server called %s that is used; there are %s", tools.Visible(server), strings.Join(slices.Sorted(maps.Keys(entries)), ", "))
		}
		session, err := jobsClient.Session(ctx, server, nil)
		if err != nil {
			return "", err
		}
		return session.Listed(ctx, uri)
	}
}
