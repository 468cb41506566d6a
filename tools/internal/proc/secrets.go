package proc

import (
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
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

// secret says whether a variable holds something to log in with.
func secret(name, value string) bool { return envvar.Secret(name, value) }
