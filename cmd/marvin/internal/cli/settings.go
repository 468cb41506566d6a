package cli

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
)

// Settings reads the configuration for commands without a conversation. It returns a
// [settings.GuardsError], but prints any other error as a warning.
func (w World) Settings(home *persistence.Home) (settings.Config, error) {
	config, err := settings.Read(home)
	if err == nil || errors.As(err, new(*settings.GuardsError)) {
		return config, err
	}
	fmt.Fprintln(w.Stderr, "warning:", err)
	return config, nil
}

// WithPassEnv returns a world in which commands receive the variables that pass_env lists.
func (w World) WithPassEnv(settings settings.Config) World {
	w.Environ = tools.Pass(w.Environ, strings.Join(settings.PassEnv, ","))
	return w
}

// ConfigFile returns the file config.yaml.
func (w World) ConfigFile() settings.File {
	return settings.File{Home: OpenHome(w)}
}

// EditorServers returns the servers that an editor passed for a session. It omits a server if
// config.yaml has a server with the same name.
func EditorServers(given EditorInput, config settings.Config) map[string]settings.Server {
	servers := maps.Clone(given.Servers)
	maps.DeleteFunc(servers, func(name string, _ settings.Server) bool {
		_, own := config.Servers[name]
		return own
	})
	return servers
}
