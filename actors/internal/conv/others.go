package conv

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools/hooks"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// Servers, hooks and tools may change while Marvin runs. Marvin reads their files again before each
// prompt, so that changes need no restart.

// Extensions holds the servers and hooks with which the tree starts.
type Extensions struct {
	Servers    map[string]settings.Server // MCP servers by their names
	Hooks      *hooks.Set                 // nil for none
	HookClient hooks.Client               // calls hooks that are web addresses
	// Reread reads the files again if they changed, and reports whether they did. It is called in a
	// task before a prompt, one call at a time. If it is nil, the files are never read again.
	Reread func() (FileContents, bool)
}

// FileContents holds the present content of the files.
type FileContents struct {
	Servers map[string]settings.Server
	Hooks   *hooks.Set
	Sources []toolbox.Source // each replaces the source with the same name; a source without tools is removed
	Told    []messages.Notice
}

// ProjectParts holds the present servers and hooks. It is safe for concurrent use.
type ProjectParts struct {
	now      atomic.Pointer[FileContents]
	Reading  sync.Mutex // held while the files are read, so that an older result never replaces a newer one
	changing sync.Mutex // keeps the shelf of tools consistent with the entries
}

func newOthers(begin Extensions) *ProjectParts {
	o := &ProjectParts{}
	o.now.Store(&FileContents{Servers: begin.Servers, Hooks: begin.Hooks})
	return o
}

func (o *ProjectParts) Servers() map[string]settings.Server { return o.now.Load().Servers }

// HooksFor returns the hooks of a conversation. If another Marvin began it, these are only the
// hooks that concern tool calls.
func (o *ProjectParts) HooksFor(delegated bool) *hooks.Set {
	set := o.now.Load().Hooks
	if delegated { // otherwise a hook that starts Marvin would run itself
		return set.Calls()
	}
	return set
}

// IfUnchanged calls the given function if the server's configuration still equals entry. While the
// function runs, the configuration cannot change.
func (o *ProjectParts) IfUnchanged(name string, entry settings.Server, do func() []string) []string {
	o.changing.Lock()
	defer o.changing.Unlock()
	if !reflect.DeepEqual(o.Servers()[name], entry) {
		return nil
	}
	return do()
}

// Replace installs the new servers and hooks, and removes the obsolete tools from the shelf. It
// returns the servers whose old entries were removed or changed, and the servers whose entries are
// new or changed.
func (o *ProjectParts) Replace(next *FileContents, shelf *toolbox.Shelf) (left, begun []string) {
	o.changing.Lock()
	defer o.changing.Unlock()
	before := o.Servers()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now, there := next.Servers[name]; !there || !reflect.DeepEqual(now, before[name]) {
			left = append(left, name)
			shelf.Drop(mcp.SourceName(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(next.Servers)) {
		if was, there := before[name]; !there || !reflect.DeepEqual(was, next.Servers[name]) {
			begun = append(begun, name)
		}
	}
	for _, source := range next.Sources {
		if len(source.Tools) == 0 {
			shelf.Drop(source.Name)
			continue
		}
		for _, told := range shelf.Add(source) {
			next.Told = append(next.Told, messages.Notice{Level: messages.Warning, Text: told})
		}
	}
	o.now.Store(next)
	return left, begun
}
