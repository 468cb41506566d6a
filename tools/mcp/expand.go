package mcp

import (
	"os"
	"slices"
	"strings"
)

// expand replaces $NAME and ${NAME} by values, and ${NAME:-default} by the default if the
// value is empty; then the variable is optional. $$ is one dollar.
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

// Variables are the names of the variables whose values a text can get, in its order.
func Variables(text string) (names []string) {
	for _, value := range []string{"", "x"} { // a variable that is not set may have another in its place
		expand(text, func(name string, _ bool) string {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			return value
		})
	}
	return names
}
