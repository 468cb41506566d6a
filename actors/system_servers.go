package actors

import (
	"context"

	"marvin/actors/internal/mcpservers"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools/mcp"
)

// These methods answer a front end about MCP servers. They wait, so actors must not call them.

// Renew applies changes of servers, hooks and tools. It returns notices for the user.
func (s *System) Renew() []messages.Notice { return s.servers.Renew() }

// Servers describes all servers, or only the named one.
func (s *System) Servers(ctx context.Context, only string) []mcpservers.State {
	return s.servers.States(ctx, only)
}

// RestartServer stops a server and starts it again at once, even after repeated failures. It
// returns the error of the start.
func (s *System) RestartServer(ctx context.Context, name string) error {
	return s.servers.Restart(ctx, name)
}

// Reshelve applies a new approval for a server that does not come from the question of a tool call.
func (s *System) Reshelve(name string) { s.servers.Reshelved(name) }

// Session returns the connection to a server, for the user of a front end.
func (s *System) Session(ctx context.Context, name string) (*mcp.Session, error) {
	return s.servers.Connect(ctx, name)
}

// Entries returns the servers in the present configuration and the accepted servers of the project.
func (s *System) Entries() map[string]settings.Server { return s.servers.Entries() }
