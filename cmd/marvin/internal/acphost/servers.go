package acphost

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/persistence/settings"
	"marvin/ui/acp"
)

// longestName is the longest name that a server of the configuration has.
const longestName = 40

// Servers are the MCP servers of an editor as the configuration has servers. Marvin confines
// them and asks about their tools like those of the user's own. Texts of the editor are
// literal: a dollar names no variable.
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

// serverName is a name of an editor with the letters that names of servers have here.
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
