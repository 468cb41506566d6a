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

// Servers, hooks and tools may change while Marvin runs. Their files are read again before each
// prompt, so that a user who edits one need not restart Marvin.

// Others is what others bring to conversations at the start.
type Others struct {
	Servers    map[string]settings.Server // MCP servers by their names
	Hooks      *hooks.Set                 // nil for none
	HookClient hooks.Client               // for those that are addresses
	// Reread reads the files again if they changed, else returns false. It is called before a
	// prompt, on its own goroutine, one call at a time. Nil never reads again.
	Reread func() (Reread, bool)
}

// Reread is what the files say now, as a whole.
type Reread struct {
	Servers map[string]settings.Server
	Hooks   *hooks.Set
	Sources []toolbox.Source // replace sources of these names; one without tools is removed
	Told    []messages.Notice
}

// ProjectParts is what holds at the moment. It is safe for concurrent use.
type ProjectParts struct {
	now      atomic.Pointer[Reread]
	Reading  sync.Mutex // what is read last is what holds
	changing sync.Mutex // what is on the shelf belongs to the entries that hold
}

func newOthers(begin Others) *ProjectParts {
	o := &ProjectParts{}
	o.now.Store(&Reread{Servers: begin.Servers, Hooks: begin.Hooks})
	return o
}

func (o *ProjectParts) Servers() map[string]settings.Server { return o.now.Load().Servers }

// HooksFor are the hooks that hold in a conversation; delegated is one that another Marvin began.
func (o *ProjectParts) HooksFor(delegated bool) *hooks.Set {
	set := o.now.Load().Hooks
	if delegated { // or a hook that starts Marvin would be called by it
		return set.Calls()
	}
	return set
}

// WhileItHolds does something about a server, unless its entry is another one now.
func (o *ProjectParts) WhileItHolds(name string, entry settings.Server, do func() []string) []string {
	o.changing.Lock()
	defer o.changing.Unlock()
	if !reflect.DeepEqual(o.Servers()[name], entry) {
		return nil
	}
	return do()
}

// Replace installs the new set and removes tools that are gone from the shelf. It returns the
// servers whose entries were removed, and the new ones.
func (o *ProjectParts) Replace(next *Reread, shelf *toolbox.Shelf) (left, begun []string) {
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
