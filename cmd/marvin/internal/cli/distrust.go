package cli

import (
	"path/filepath"

	"marvin/tools"
)

// Distrusting returns a world whose PATH excludes programs in the start directory and the working
// directory. If that would exclude the user's own programs, because it is the whole home directory,
// only calls that work there exclude them.
func (w World) Distrusting(opts Options) World {
	environ := tools.Plain(w.Environ)
	for _, dir := range []string{w.Dir, directory(w, opts)} {
		if rel, err := filepath.Rel(dir, w.Home); err != nil || w.Home == "" || !filepath.IsLocal(rel) {
			environ = tools.Distrust(environ, dir)
		}
	}
	w.Environ = environ
	return w
}

// directory returns the working directory of the options, "" if it is invalid.
func directory(w World, opts Options) string {
	dir, err := WorkingDir(w, opts)
	if err != nil {
		return "" // reported where it is needed
	}
	return dir
}
