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

// Servers tells of all servers, or of the one that is named.
func (s *System) Servers(ctx context.Context, only string) []mcpservers.State {
	return s.servers.States(ctx, only)
}

// RestartServer ends a server, which starts again at once; what was failing may be tried
// again. It returns how that went.
func (s *System) RestartServer(ctx context.Context, name string) error {
	return s.servers.Restart(ctx, name)
}

// Reshelve takes up what was approved of a server outside of a call.
func (s *System) Reshelve(name string) { s.servers.Reshelved(name) }

// Session is the connection to a server, for a person at a front end.
func (s *System) Session(ctx context.Context, name string) (*mcp.Session, error) {
	return s.servers.Connect(ctx, name)
}

// Entries are the servers that the configuration names now, with those of the project that
// were accepted.
func (s *System) Entries() map[string]settings.Server { return s.servers.Entries() }
