package proc

import (
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
)

// Secrets returns the secret values in an environment. It omits paths, such as the path of an SSH
// agent's socket, because they are not secret.
func Secrets(environ []string) (values []string) {
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && secret(name, value) && !strings.HasPrefix(value, "/") && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

func secret(name, value string) bool { return envvar.Secret(name, value) }
