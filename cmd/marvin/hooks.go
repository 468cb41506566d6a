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

// hooks are the user's own, and behind them those of the project that they accepted.
func (p *parts) hooks(registry *tools.Registry, home *persistence.Home) *hooks.Set {
	own, problems := ownHooks(p.settings, registry)
	for _, problem := range problems {
		p.note(problem)
	}
	accepted, offers, err := projectHooks(home, p.dir)
	p.note(err)
	if len(offers) > 0 {
		p.notices = append(p.notices, sayHookOffers(offers))
	}
	return own.With(accepted)
}

// Hooks implements [command.Host].
func (h extensions) Hooks(context.Context) string {
	told := h.renewed()
	table, err := hookTableOf(h.parts.world, h.parts.opts)
	if err != nil {
		return told + err.Error()
	}
	return told + strings.Join(table.lines(), "\n")
}
