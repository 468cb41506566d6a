package actors

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/mcp"
)

// Requests about servers from a user at a front end. They wait, so actors must not call them.

// ServerState is how a server is, for people.
type ServerState struct {
	Name, State string
	Looked      bool // what it has is known
	Tools       int
	Unapproved  []string // tools that describe themselves otherwise than they were approved
	Err         string   // why it does not run
	Log         string   // what it said, its beginning and its end
}

// States of servers that decide what else is said of them.
const (
	ServerOff        = "off"
	ServerNotStarted = "not started"
)

// Servers tells of all servers, or of the one that is named.
func (s *System) Servers(ctx context.Context, only string) []ServerState {
	var all []ServerState
	table := s.serverClient().table
	entries := s.config.Others.now.servers()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if only != "" && only != name {
			continue
		}
		if entries[name].Off {
			all = append(all, ServerState{Name: name, State: ServerOff})
			continue
		}
		reply := make(chan ServerState, 1)
		s.actors.Root.Send(table, tellServer{name: name, reply: reply})
		select {
		case state := <-reply:
			if !state.Looked { // it did not run yet: what it had the last time
				if manifest, known, err := mcp.Known(s.config.Home, name, entries[name]); err == nil && known {
					state.Looked, state.Tools, state.Unapproved = true, len(manifest.Tools), manifest.Unapproved()
				}
			}
			all = append(all, state)
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// RestartServer ends a server, which starts again at once; what was failing may be tried
// again. It returns how that went.
func (s *System) RestartServer(ctx context.Context, name string) error {
	if entry, ok := s.config.Others.now.servers()[name]; !ok || entry.Off {
		return fmt.Errorf("there is no server called %s that is used", tools.Visible(name))
	}
	table := s.serverClient().table
	s.actors.Root.Send(table, restartServer{name: name})
	reply := make(chan leased, 1)
	s.actors.Root.Send(table, wantSession{name: name, looks: true, reply: reply})
	select {
	case answer := <-reply:
		return answer.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reshelve takes up what was approved of a server outside of a call.
func (s *System) Reshelve(name string) {
	if len(s.config.Others.now.servers()) > 0 {
		s.serverClient().reshelve(name)
	}
}

// Session is the connection to a server, for a person at a front end.
func (s *System) Session(ctx context.Context, name string) (*mcp.Session, error) {
	if entry, ok := s.config.Others.now.servers()[name]; !ok || entry.Off {
		return nil, fmt.Errorf("there is no server called %s that is used", tools.Visible(name))
	}
	return s.serverClient().Session(ctx, name, nil)
}

// Entries are the servers that the configuration names now, with those of the project that
// were accepted.
func (s *System) Entries() map[string]persistence.Server { return s.config.Others.now.servers() }
