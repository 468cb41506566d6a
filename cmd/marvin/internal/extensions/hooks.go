package extensions

import (
	"strings"

	"marvin/persistence/settings"
	"marvin/tools/hooks"
	"marvin/tools/toolbox"
)

// OwnHooks are those of the user's configuration. A name in one that no tool has is a
// problem: it would stop nothing.
func OwnHooks(settings settings.Config, registry *toolbox.Registry) (*hooks.Set, []error) {
	return hooks.New(settings.Hooks, func(name string) (string, bool) {
		if strings.HasPrefix(name, "mcp_") { // a server may not have said yet what it has
			return name, true
		}
		tool, known := registry.Lookup(name)
		return tool.Name, known
	})
}
