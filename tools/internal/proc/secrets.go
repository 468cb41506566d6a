package proc

import (
	"slices"
	"strings"
)

// Secrets are the values in an environment that children do not get because they log
// in somewhere. A path, such as that of an SSH agent, tells nothing.
func Secrets(environ []string) (values []string) {
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && secret(name, value) && !strings.HasPrefix(value, "/") && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}
