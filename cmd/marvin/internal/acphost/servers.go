package acphost

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/persistence/settings"
	"marvin/ui/acp"
)

// longestName is the maximum length of a server name in the configuration.
const longestName = 40

// Servers converts an editor's MCP servers to the form of the configuration. Marvin confines these
// servers, and asks about them, as if the user had configured them. A "$" is escaped, because the
// editor's values are literal.
func Servers(given []acp.Server) (map[string]settings.Server, error) {
	if len(given) == 0 {
		return nil, nil
	}
	all := map[string]settings.Server{}
	for _, one := range given {
		name := serverName(one.Name)
		server := settings.Server{Command: one.Command, URL: one.URL, Env: literal(one.Env), Headers: literal(one.Headers)}
		if err := settings.CheckServer(name, server); err != nil {
			return nil, fmt.Errorf("%w: %w", acp.ErrWrong, err)
		}
		if _, taken := all[name]; taken {
			return nil, fmt.Errorf("%w: two MCP servers are called %q", acp.ErrWrong, name)
		}
		all[name] = server
	}
	return all, nil
}

// serverName replaces the invalid characters of a server name with "-", and shortens the name.
func serverName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r == '-', r == '_', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '-'
	}, name), "-")
	return name[:min(len(name), longestName)]
}

func literal(values map[string]string) map[string]string {
	if len(values) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all[name] = strings.ReplaceAll(values[name], "$", "$$")
	}
	return all
}
