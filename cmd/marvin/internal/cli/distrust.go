package cli

import (
	"path/filepath"

	"marvin/tools"
)

// Distrusting returns a world that runs no programs from the start directory and the working
// directory outside the sandbox. A directory that contains the home directory is not excluded,
// because the user's own programs are below it; calls that work in such a directory exclude it
// themselves.
func (w World) Distrusting(opts Options) World {
	environ := tools.PlainEnviron(w.Environ)
	for _, dir := range []string{w.Dir, directory(w, opts)} {
		if rel, err := filepath.Rel(dir, w.Home); err != nil || w.Home == "" || !filepath.IsLocal(rel) {
			environ = tools.Distrust(environ, dir)
		}
	}
	w.Environ = environ
	return w
}

func directory(w World, opts Options) string {
	dir, err := WorkingDir(w, opts)
	if err != nil {
		return "" // reported where it is needed
	}
	return dir
}
