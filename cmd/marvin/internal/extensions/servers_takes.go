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

// A server that a repository brings can name variables of the user, whose values it then gets.
// The user sees each of them and says yes to each; keys of models are never given.

// GuardedKeys are the keys that Marvin itself uses, which no server of a repository gets.
type GuardedKeys struct {
	names   map[string]bool
	environ []string
}

// ModelKeys are those of all providers: of the catalogue, and of the configuration.
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

// has reports whether a variable holds the key of a model, under whatever name.
func (k GuardedKeys) has(name string) bool {
	if k.names[name] {
		return true
	}
	value := k.value(name)
	if len(value) < 8 { // too short for a key: a switch has such values too
		return false
	}
	for key := range k.names {
		if k.value(key) == value {
			return true
		}
	}
	return false
}

// value is what a variable is set to. The last assignment counts.
func (k GuardedKeys) value(name string) (value string) {
	for _, entry := range k.environ {
		if rest, ok := strings.CutPrefix(entry, name+"="); ok {
			value = rest
		}
	}
	return value
}

// Gift is a header or a variable that a repository gives its server.
type Gift struct {
	Kind    string   `json:"kind"` // header or variable
	Name    string   `json:"name"`
	Value   string   `json:"value"`             // as the file has it
	Keys    []string `json:"keys,omitempty"`    // the variables of the user whose values it gets
	Refused string   `json:"refused,omitempty"` // why Marvin never gives it
}

// Gifts lists the headers and the variables of a server.
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
				one.Refused = "it loads other code into every program that the server starts"
			}
			all = append(all, one)
		}
	}
	add("header", server.Headers)
	add("variable", server.Env)
	return all
}

// Refused says why a repository's server is never used as it is; nil if it may be.
func (k GuardedKeys) Refused(server settings.Server) error {
	for _, one := range k.Gifts(server) {
		if one.Refused != "" {
			return fmt.Errorf("the %s %s (%s) is never given to a server of a project: %s", one.Kind, tools.Visible(one.Name), tools.Visible(one.Value), one.Refused)
		}
	}
	return nil
}

// Taken are the variables of the user whose values a server gets.
func (k GuardedKeys) Taken(server settings.Server) (names []string) {
	for _, one := range k.Gifts(server) {
		names = append(names, one.Keys...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Acceptance stands for all that the user said yes to: what the file says of a server, and the
// variables of theirs that it gets.
func (k GuardedKeys) Acceptance(server settings.Server) string {
	hash := server.WholeHash()
	if names := k.Taken(server); len(names) > 0 {
		hash += " gets " + strings.Join(names, " ")
	}
	return hash
}

// Lines says for people what a server of a repository is and gets.
func (k GuardedKeys) Lines(server settings.Server) (lines []string) {
	if server.URL != "" {
		lines = append(lines, "address "+tools.Visible(server.URL))
	} else {
		lines = append(lines, fmt.Sprintf("program %s, with the environment of a command: it holds no keys but these", tools.Visible(fmt.Sprintf("%q", server.Command))))
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
