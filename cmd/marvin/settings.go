package main

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"marvin/persistence"
	"marvin/tools"
)

// settings reads the configuration for what begins no conversation. Only a file that may
// forbid something is in the way.
func (w World) settings(home *persistence.Home) (persistence.Config, error) {
	settings, err := home.Config()
	if err == nil || errors.As(err, new(*persistence.GuardsError)) {
		return settings, err
	}
	fmt.Fprintln(w.Stderr, "warning:", err)
	return settings, nil
}

// passing adds the configured variables for commands to the world.
func (w World) passing(settings persistence.Config) World {
	w.Environ = tools.Pass(w.Environ, strings.Join(settings.PassEnv, ","))
	return w
}

// configFile is config.yaml, to look at and to write.
func (w World) configFile() persistence.ConfigFile {
	return persistence.ConfigFile{Home: openHome(w)}
}

// ofEditor are the servers of an editor. One of the user's own with the same name is used
// instead.
func ofEditor(given editorGiven, settings persistence.Config) map[string]persistence.Server {
	servers := maps.Clone(given.servers)
	maps.DeleteFunc(servers, func(name string, _ persistence.Server) bool {
		_, own := settings.Servers[name]
		return own
	})
	return servers
}
