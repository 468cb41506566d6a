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

// The methods in this file serve front ends.

// State is the displayed status of a server.
type State struct {
	Name, State string
	Looked      bool // the server's tools are known
	Tools       int
	Unapproved  []string // tools whose description differs from the approved one
	Err         string   // the last failure of the server
	Log         string   // the beginning and the end of the server's output
}

// Front ends compare State.State with these values.
const (
	ServerOff        = "off"
	ServerNotStarted = "not started"
)

// States returns the state of each server. A nonempty name selects one server.
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
			if !state.Looked { // the server has not listed its tools yet, so use the stored list
				if manifest, known, err := mcp.ReadManifest(d.deps.Home, name, entries[name]); err == nil && known {
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

// Restart stops a server and starts it again, even if repeated failures have paused it. It returns
// the error that prevented the start, if any.
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

// ApplyApprovals sends the stored approvals to a server. Front ends call ApplyApprovals after the
// user has approved tools.
func (d Client) ApplyApprovals(name string) {
	if len(d.deps.Others.Servers()) > 0 {
		d.reshelve(name)
	}
}

// Connect is like [Client.Session], but returns an error for a server that is not in use.
func (d Client) Connect(ctx context.Context, name string) (*mcp.Session, error) {
	if err := d.used(name); err != nil {
		return nil, err
	}
	return d.Session(ctx, name, nil)
}

func (d Client) used(name string) error {
	if entry, ok := d.deps.Others.Servers()[name]; !ok || entry.Off {
		return fmt.Errorf("no server in use has the name %s", tools.Visible(name))
	}
	return nil
}

// Entries returns the configured servers, including the project's accepted servers.
func (d Client) Entries() map[string]settings.Server { return d.deps.Others.Servers() }
