package mcp

import "os"

// expand puts values in the place of $NAME and ${NAME}; $$ is one dollar.
func expand(text string, value func(name string) string) string {
	return os.Expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		return value(name)
	})
}
