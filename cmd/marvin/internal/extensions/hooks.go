package extensions

import (
	"strings"

	"marvin/persistence/settings"
	"marvin/tools/hooks"
	"marvin/tools/toolbox"
)

// OwnHooks returns the hooks from config.yaml. Each unknown tool name in a hook causes an error.
func OwnHooks(settings settings.Config, registry *toolbox.Registry) (*hooks.Set, []error) {
	return hooks.New(settings.Hooks, func(name string) (string, bool) {
		if strings.HasPrefix(name, "mcp_") { // the server may announce its tools later
			return name, true
		}
		tool, known := registry.Lookup(name)
		return tool.Name, known
	})
}
