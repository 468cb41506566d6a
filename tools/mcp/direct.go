package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
)

// Direct implements [Sessions] for a single Marvin command. The connections stay open until
// [Direct.Close].
type Direct struct {
	Servers map[string]settings.Server
	Home    *persistence.Home
	Ground  Ground
	// OnLearned, if not nil, is called with a description of the rights that a new server needs.
	OnLearned func(words string)

	mu   sync.Mutex
	open map[string]*Session
}

// ErrUnknown means that no server has the requested name.
var ErrUnknown = errors.New("there is no such server")

// Session implements [Sessions].
func (d *Direct) Session(ctx context.Context, name string, _ func(string)) (*Session, error) {
	server, ok := d.Servers[name]
	if !ok {
		return nil, fmt.Errorf("%w: %s; \"marvin mcp list\" shows the servers", ErrUnknown, name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if session := d.open[name]; session != nil {
		return session, nil
	}
	ground := d.Ground
	ground.Own, ground.Home = settings.ServersOf(d.Home).Dir(name), d.Home
	session, err := Begin(ctx, name, server, ground, d.OnLearned)
	if err != nil {
		return nil, err
	}
	if d.open == nil {
		d.open = map[string]*Session{}
	}
	d.open[name] = session
	return session, nil
}

// ReportLost implements [Sessions].
func (d *Direct) ReportLost(name string, session *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[name] == session {
		delete(d.open, name)
	}
	session.Close()
}

// Approve implements [Sessions].
func (d *Direct) Approve(name string, tool Tool) error { return Approve(d.Home, name, tool) }

// Widen implements [Sessions].
func (d *Direct) Widen(name string, wish Profile, session *Session) error {
	restart, err := Widen(d.Home, name, wish, session)
	if restart {
		d.ReportLost(name, session)
	}
	return err
}

// Approve stores the user's approval of a tool's description.
func Approve(home *persistence.Home, name string, tool Tool) error {
	return change(home, name, func(manifest *Manifest) {
		if manifest.Pinned == nil {
			manifest.Pinned = map[string]string{}
		}
		manifest.Pinned[tool.Name] = tool.hash()
	})
}

// ApproveAll approves all of a server's stored tools, and grants all rights that the server
// requested.
func ApproveAll(home *persistence.Home, name string, server settings.Server) (Manifest, error) {
	manifest, known, err := ReadManifest(home, name, server)
	if err == nil && !known {
		err = fmt.Errorf("the server %s has not been checked yet; check it with \"marvin mcp test %[1]s\"", name)
	}
	if err != nil {
		return manifest, err
	}
	manifest.Pin()
	manifest.allow(manifest.Wanted)
	return manifest, Keep(home, name, manifest)
}

// Allow grants rights that a server has requested: all of them, or only those for the given
// targets. A target is a path, a host or "network". If the server's record is unreadable, Allow
// deletes the record and grants nothing.
func Allow(home *persistence.Home, name string, server settings.Server, targets ...string) error {
	manifest, known, err := ReadManifest(home, name, server)
	switch {
	case err != nil:
		return settings.ServersOf(home).ForgetFile(name)
	case !known && len(targets) == 0:
		return nil
	}
	wish := manifest.Wanted
	if len(targets) > 0 {
		wish = Profile{}
	}
	for _, one := range targets {
		named := manifest.Wanted.Select(one)
		if named.Empty() {
			return fmt.Errorf("the server %s did not ask for %s; it asked to %s", name, tools.Visible(one), tools.Visible(cmp.Or(manifest.Wanted.Wish(), "do only what is already allowed")))
		}
		wish = wish.Union(named)
	}
	manifest.allow(wish)
	return Keep(home, name, manifest)
}

func (m *Manifest) allow(wish Profile) {
	if m.Jail != nil {
		wider := m.Jail.Union(wish)
		m.Jail, m.Wanted, m.Refused = &wider, m.Wanted.Minus(wider), m.Refused.Minus(wider)
	}
}

// Close ends all connections.
func (d *Direct) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, session := range d.open {
		session.Close()
	}
	d.open = nil
}

// RecordManifest stores the tools of a connected server. It approves all of them if the server is
// new, or if the user is reviewing the tools (approve is true). Otherwise, it only keeps earlier
// approvals.
func RecordManifest(ctx context.Context, home *persistence.Home, session *Session, approve bool) (Manifest, error) {
	manifest, err := session.Tools(ctx)
	if err != nil {
		return manifest, err
	}
	before, known, damaged := ReadManifest(home, session.Name, session.config)
	manifest.Jail, manifest.Wanted, manifest.Refused, manifest.Unseen = before.Jail, before.Wanted, before.Refused, before.Unseen
	session.learn(&manifest)
	switch {
	case approve, !known && damaged == nil:
		manifest.Pin()
	default:
		manifest.Pinned = before.Pinned
	}
	return manifest, Keep(home, session.Name, manifest)
}
