package cli

import (
	"path/filepath"

	"marvin/tools"
)

// DistrustDirs returns a world that confines programs to the sandbox if they come from w.Dir or
// from the working directory. A directory that is or contains the home directory is exempt, because
// the user's own programs are there. A call in an exempt directory must itself restrict the
// programs in it.
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
