package mcp

import (
	"os"
	"slices"
	"strings"
)

// expand replaces $NAME and ${NAME} with values. ${NAME:-default} makes the variable optional and
// uses the default if the value is empty. $$ becomes one dollar sign.
func expand(text string, value func(name string, optional bool) string) string {
	return os.Expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		name, fallback, optional := strings.Cut(name, ":-")
		if found := value(name, optional); found != "" {
			return found
		}
		return fallback
	})
}

// Variables returns the names of the variables in text, in order of first use.
func Variables(text string) (names []string) {
	expand(text, func(name string, _ bool) string {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		return ""
	})
	return names
}
