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

// Extensions contains the servers and hooks with which the tree starts.
type Extensions struct {
	Servers    map[string]settings.Server // MCP servers by their names
	Hooks      *hooks.Set                 // nil for none
	HookClient hooks.Client               // for hooks with a URL
	// Reread reads changed files again, and reports whether any file changed. Tasks call Reread
	// before prompts, never concurrently. If Reread is nil, the files are never read again.
	Reread func() (FileContents, bool)
}

// FileContents holds the current contents of configuration files.
type FileContents struct {
	Servers map[string]settings.Server
	Hooks   *hooks.Set
	Sources []toolbox.Source // sources to add or replace; a source without tools is removed
	Told    []messages.Notice
}

// ProjectParts holds the current servers and hooks. It is safe for concurrent use.
type ProjectParts struct {
	now      atomic.Pointer[FileContents]
	Reading  sync.Mutex // held while the files are read, so that an older result never replaces a newer one
	changing sync.Mutex // held during changes, so that the shelf's tools match the servers
}

func newOthers(begin Extensions) *ProjectParts {
	o := &ProjectParts{}
	o.now.Store(&FileContents{Servers: begin.Servers, Hooks: begin.Hooks})
	return o
}

func (o *ProjectParts) Servers() map[string]settings.Server { return o.now.Load().Servers }

// HooksFor returns the hooks for a conversation. If another Marvin process began the conversation,
// the result contains only the hooks for tool calls.
func (o *ProjectParts) HooksFor(delegated bool) *hooks.Set {
	set := o.now.Load().Hooks
	if delegated { // prevents endless recursion if a hook starts Marvin
		return set.Calls()
	}
	return set
}

// IfUnchanged calls the given function if the configuration of the server still equals entry. The
// configuration cannot change during the call.
func (o *ProjectParts) IfUnchanged(name string, entry settings.Server, update func() []string) []string {
	o.changing.Lock()
	defer o.changing.Unlock()
	if !reflect.DeepEqual(o.Servers()[name], entry) {
		return nil
	}
	return update()
}

// Replace installs the new servers and hooks, and updates the tools on the shelf. oldServers lists
// the servers whose old entries were removed or changed. newServers lists the servers whose entries
// are new or changed.
func (o *ProjectParts) Replace(next *FileContents, shelf *toolbox.Shelf) (oldServers, newServers []string) {
	o.changing.Lock()
	defer o.changing.Unlock()
	before := o.Servers()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now, there := next.Servers[name]; !there || !reflect.DeepEqual(now, before[name]) {
			oldServers = append(oldServers, name)
			shelf.Drop(mcp.SourceName(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(next.Servers)) {
		if was, there := before[name]; !there || !reflect.DeepEqual(was, next.Servers[name]) {
			newServers = append(newServers, name)
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
	return oldServers, newServers
}
