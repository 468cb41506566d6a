package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/envvar"
	"marvin/tools/internal/proc"
)

// mostLogin is the maximum size of a login file, in bytes.
const mostLogin = 1 << 20

// copyLogins copies the agent's login files from the user's home directory to the agent's home
// directory. The agent gets only these copies, so its changes do not reach the originals.
func (a Agent) copyLogins(user, home string) error {
	for _, name := range a.Login {
		below, ok := strings.CutPrefix(name, "~/")
		if !ok || !filepath.IsLocal(below) {
			return fmt.Errorf("the login file %s of the agent %s is not a path such as ~/.codex/auth.json", name, a.Name)
		}
		if user == "" {
			continue
		}
		if err := copyLogin(user, home, filepath.FromSlash(below)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copy the login file %s: %w", name, err)
		}
	}
	return nil
}

func copyLogin(from, to, name string) error {
	path := filepath.Join(from, name)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file; if it is a directory, list the files in it")
	case info.Size() > mostLogin:
		return fmt.Errorf("it has more than %d MiB", mostLogin>>20)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, name), content, 0o600)
}

// variables returns the variables named in a.Env, with their values from environ.
func (a Agent) variables(environ []string) (made []string) {
	for _, name := range a.Env {
		if value := envvar.Lookup(environ, name); value != "" {
			made = append(made, name+"="+value)
		}
	}
	return made
}

// programDirs returns the directories below /tmp that a program needs: the directories of the
// program and its link target, or the whole node_modules directory of an npm program. The sandbox
// must show these directories, because the sandbox has a private /tmp.
func programDirs(name string, environ []string) (dirs []string) {
	program, err := proc.FindAnywhere(name, environ)
	if err != nil {
		return nil // the error will be reported when the program is started
	}
	paths := []string{program}
	if resolved, err := filepath.EvalSymlinks(program); err == nil && resolved != program {
		paths = append(paths, resolved)
	}
	for _, path := range paths {
		if !strings.HasPrefix(path, "/tmp/") {
			continue
		}
		dir := filepath.Dir(path)
		if before, _, found := strings.Cut(dir, "/node_modules"); found {
			dir = before + "/node_modules"
		}
		dirs = append(dirs, dir)
	}
	return dirs
}
