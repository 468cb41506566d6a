package mcp

import (
	"os"
	"slices"
)

// expand puts values in the place of $NAME and ${NAME}; $$ is one dollar.
func expand(text string, value func(name string) string) string {
	return os.Expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		return value(name)
	})
}

// Variables are the names of the variables whose values a text can get, in its order.
func Variables(text string) (names []string) {
	for _, value := range []string{"", "x"} { // a variable that is not set may have another in its place
		expand(text, func(name string) string {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			return value
		})
	}
	return names
}
