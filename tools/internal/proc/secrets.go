package proc

import (
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
)

// Secrets returns the secret values in an environment that children do not get. It omits paths,
// such as that of an SSH agent, because they are no secrets.
func Secrets(environ []string) (values []string) {
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && secret(name, value) && !strings.HasPrefix(value, "/") && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// secret reports whether a variable contains a login or a key.
func secret(name, value string) bool { return envvar.Secret(name, value) }
