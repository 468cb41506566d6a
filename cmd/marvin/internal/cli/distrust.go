package cli

import (
	"path/filepath"

	"marvin/tools"
)

// DistrustDirs returns a world in which programs from w.Dir and the working directory run only in
// the sandbox. A directory that is or contains the home directory is exempt, because the user's own
// programs are there. Tool calls distrust even an exempt directory.
func (w World) DistrustDirs(opts Options) World {
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
		return "" // other callers of WorkingDir report the error
	}
	return dir
}
