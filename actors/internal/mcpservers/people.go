package mcpservers

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/mcp"
)

// Requests about servers from a user at a front end. They wait, so actors must not call them.

// State is how a server is, for people.
type State struct {
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

// States tells of all servers, or of the one that is named.
func (d Client) States(ctx context.Context, only string) []State {
	var all []State
	entries := d.deps.Others.Servers()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if only != "" && only != name {
			continue
		}
		if entries[name].Off {
			all = append(all, State{Name: name, State: ServerOff})
			continue
		}
		reply := make(chan State, 1)
		d.root.Send(d.table, tellServer{name: name, reply: reply})
		select {
		case state := <-reply:
			if !state.Looked { // it did not run yet: what it had the last time
				if manifest, known, err := mcp.Known(d.deps.Home, name, entries[name]); err == nil && known {
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

// Restart ends a server, which starts again at once; what was failing may be tried again. It
// returns how that went.
func (d Client) Restart(ctx context.Context, name string) error {
	if err := d.used(name); err != nil {
		return err
	}
	d.root.Send(d.table, restartServer{name: name})
	reply := make(chan leased, 1)
	d.root.Send(d.table, wantSession{name: name, looks: true, reply: reply})
	select {
	case answer := <-reply:
		return answer.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reshelved takes up what was approved of a server outside of a call.
func (d Client) Reshelved(name string) {
	if len(d.deps.Others.Servers()) > 0 {
		d.reshelve(name)
	}
}

// Connect gives the connection to a server, for a person at a front end.
func (d Client) Connect(ctx context.Context, name string) (*mcp.Session, error) {
	if err := d.used(name); err != nil {
		return nil, err
	}
	return d.Session(ctx, name, nil)
}

// used says what is wrong where no server of that name is in use.
func (d Client) used(name string) error {
	if entry, ok := d.deps.Others.Servers()[name]; !ok || entry.Off {
		return fmt.Errorf("no server in use is called %s", tools.Visible(name))
	}
	return nil
}

// Entries are the servers that the configuration names now, with those of the project that
// were accepted.
func (d Client) Entries() map[string]settings.Server { return d.deps.Others.Servers() }
