package main

import (
	"marvin/tools"
	"marvin/tools/hooks"
)

// hooks are the user's own. A name in one that no tool has is told: it would stop nothing.
func (p *parts) hooks(registry *tools.Registry) *hooks.Set {
	own, problems := hooks.New(p.settings.Hooks, func(name string) (string, bool) {
		tool, known := registry.Lookup(name)
		return tool.Name, known
	})
	for _, problem := range problems {
		p.note(problem)
	}
	return own
}
