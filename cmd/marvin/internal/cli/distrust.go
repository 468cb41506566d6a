package cli

import (
	"path/filepath"

	"marvin/tools"
)

// Distrusting is the world without programs from where Marvin was started or will work. If that is
// all of the home directory, with the user's own programs in it, only calls that work there exclude
// them.
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

// directory is the working directory of the options, "" if invalid.
func directory(w World, opts Options) string {
	dir, err := WorkingDir(w, opts)
	if err != nil {
		return "" // it is said where it is needed
	}
	return dir
}
