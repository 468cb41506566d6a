package extensions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/mcp"
)

// A server that a repository defines can ask for the values of the user's environment variables.
// The user must consent to each variable. Model keys are never passed.

// GuardedKeys identifies the environment variables that contain model keys. Marvin never passes
// these variables to a project's server.
type GuardedKeys struct {
	names   map[string]bool
	environ []string
}

// ModelKeys returns the keys of all providers in the catalog and the configuration.
func ModelKeys(settings settings.Config, environ []string) GuardedKeys {
	keys := GuardedKeys{names: map[string]bool{}, environ: environ}
	for _, provider := range providers.Catalog {
		if provider.KeyVar != "" {
			keys.names[provider.KeyVar] = true
		}
	}
	for _, provider := range settings.Providers {
		if name, isVariable := strings.CutPrefix(provider.Key, "$"); isVariable {
			keys.names[strings.Trim(name, "{}")] = true
		}
	}
	return keys
}

// has is true if the variable is one of k.names or has the same value as one of them.
func (k GuardedKeys) has(name string) bool {
	if k.names[name] {
		return true
	}
	value := k.value(name)
	if len(value) < 8 { // keys are longer; a short value is a setting such as "on"
		return false
	}
	for key := range k.names {
		if k.value(key) == value {
			return true
		}
	}
	return false
}

// value looks up a variable in k.environ. The last assignment wins.
func (k GuardedKeys) value(name string) (value string) {
	for _, entry := range k.environ {
		if rest, ok := strings.CutPrefix(entry, name+"="); ok {
			value = rest
		}
	}
	return value
}

// Gift is a header or an environment variable in the definition of a server.
type Gift struct {
	Kind    string   `json:"kind"` // "header" or "variable"
	Name    string   `json:"name"`
	Value   string   `json:"value"`             // as written in the file
	Keys    []string `json:"keys,omitempty"`    // the user's variables whose values the server would receive
	Refused string   `json:"refused,omitempty"` // the reason why Marvin never passes it, or ""
}

// Gifts returns the headers and the variables of a server.
func (k GuardedKeys) Gifts(server settings.Server) (all []Gift) {
	add := func(kind string, values map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			one := Gift{Kind: kind, Name: name, Value: values[name], Keys: mcp.Variables(values[name])}
			for _, key := range one.Keys {
				if k.has(key) {
					one.Refused = "it takes " + key + ", which holds the key of a model"
				}
			}
			if kind == "variable" && (strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_")) {
				one.Refused = "it can load any code into every program that the server starts"
			}
			all = append(all, one)
		}
	}
	add("header", server.Headers)
	add("variable", server.Env)
	return all
}

// Refused returns an error if the server's definition contains a refused [Gift].
func (k GuardedKeys) Refused(server settings.Server) error {
	for _, one := range k.Gifts(server) {
		if one.Refused != "" {
			return fmt.Errorf("the %s %s (%s) is never passed to a server that a project defines: %s", one.Kind, tools.Visible(one.Name), tools.Visible(one.Value), one.Refused)
		}
	}
	return nil
}

// ReceivedVariables lists the user's environment variables whose values the server receives.
func (k GuardedKeys) ReceivedVariables(server settings.Server) (names []string) {
	for _, one := range k.Gifts(server) {
		names = append(names, one.Keys...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Acceptance returns the text that is stored when the user accepts a server. The text consists of
// the server's hash and the names of the variables that the server receives.
func (k GuardedKeys) Acceptance(server settings.Server) string {
	hash := server.WholeHash()
	if names := k.ReceivedVariables(server); len(names) > 0 {
		hash += " gets " + strings.Join(names, " ")
	}
	return hash
}

// DescribeServer describes a repository's server for the user: what would run, and which data the
// server would receive.
func (k GuardedKeys) DescribeServer(server settings.Server) (lines []string) {
	if server.URL != "" {
		lines = append(lines, "address "+tools.Visible(server.URL))
	} else {
		lines = append(lines, fmt.Sprintf("program %s, which gets the same environment as commands, and no keys except these", tools.Visible(fmt.Sprintf("%q", server.Command))))
	}
	for _, one := range k.Gifts(server) {
		line := fmt.Sprintf("%s %s: %s", one.Kind, tools.Visible(one.Name), tools.Visible(one.Value))
		switch {
		case one.Refused != "":
			line += "; refused: " + one.Refused
		case len(one.Keys) > 0:
			line += "; it gets your " + strings.Join(one.Keys, " and your ")
		}
		lines = append(lines, line)
	}
	return lines
}
