package main

import (
	"context"
	"strings"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/hooks"
)

// ownHooks are those of the user's configuration. A name in one that no tool has is a
// problem: it would stop nothing.
func ownHooks(settings persistence.Config, registry *tools.Registry) (*hooks.Set, []error) {
	return hooks.New(settings.Hooks, func(name string) (string, bool) {
		if strings.HasPrefix(name, "mcp_") { // a server may not have said yet what it has
			return name, true
		}
		tool, known := registry.Lookup(name)
		return tool.Name, known
	})
}

func (p *parts) hooks(registry *tools.Registry) *hooks.Set {
	own, problems := ownHooks(p.settings, registry)
	for _, problem := range problems {
		p.note(problem)
	}
	return own
}

// Hooks implements [command.Host].
func (h host) Hooks(context.Context) string {
	desk, err := h.parts.world.hookDesk(h.parts.opts)
	if err != nil {
		return err.Error()
	}
	return strings.Join(desk.lines(), "\n")
}
