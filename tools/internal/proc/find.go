package proc

import (
	"fmt"
	"os"
	"path/filepath"
)

// Find returns the absolute path of a program by the PATH of environ. Relative and
// empty entries of PATH are passed over, as they mean the working directory.
// The error is [ErrNotFound] with the name.
func Find(name string, environ []string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	if filepath.Base(name) != name || name == "." || name == "" {
		return "", fmt.Errorf("%q is neither an absolute path nor the name of a program", name)
	}
	path := Lookup(environ, "PATH")
	if path == "" {
		path = defaultPath
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, file := range fileNames(name) {
			candidate := filepath.Join(dir, file)
			if info, err := os.Stat(candidate); err == nil && executable(info) {
				return candidate, nil
			}
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNotFound, name)
}
