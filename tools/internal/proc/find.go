package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Find returns the absolute path of a program that Marvin may run outside the sandbox: by the PATH of
// environ, without relative and empty entries, as they mean the working directory, and
// without what the project can write (see [Distrust]), links and the interpreters of
// scripts included. The error is [ErrNotFound] with the name, or an [Untrusted], which is
// one too.
func Find(name string, environ []string) (string, error) {
	return find(name, environ, distrusted(environ))
}

// FindAnywhere is Find with the whole PATH, for what runs in a jail, or because a person
// wants exactly that.
func FindAnywhere(name string, environ []string) (string, error) {
	return find(name, environ, nil)
}

func find(name string, environ, trees []string) (string, error) {
	if filepath.IsAbs(name) {
		if tree := suspicious(name, trees); tree != "" {
			return "", &Untrusted{Name: name, Path: name, Tree: tree}
		}
		return name, nil
	}
	if filepath.Base(name) != name || name == "." || name == "" {
		return "", fmt.Errorf("%q is neither an absolute path nor the name of a program", name)
	}
	err := fmt.Errorf("%w: %s", ErrNotFound, name)
	for _, dir := range filepath.SplitList(pathOf(environ)) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, file := range fileNames(name) {
			candidate := filepath.Join(dir, file)
			if info, missing := os.Stat(candidate); missing != nil || !executable(info) {
				continue
			}
			tree := suspicious(candidate, trees)
			if tree == "" {
				return candidate, nil
			}
			if !errors.As(err, new(*Untrusted)) {
				err = &Untrusted{Name: name, Path: candidate, Tree: tree}
			}
		}
	}
	return "", err
}

// pathOf is the PATH of an environment, or the default.
func pathOf(environ []string) string {
	if path := Lookup(environ, "PATH"); path != "" {
		return path
	}
	return defaultPath
}

// own reports that the program is unconfined and used by Marvin alone.
func (c Command) own() bool { return c.Jail == nil && c.Shell == "" && !c.Marvin && !c.WholePath }

// program is what is started, and its arguments.
func (c Command) program() (path string, args []string, err error) {
	lookup := Find
	if c.Jail != nil || c.WholePath {
		lookup = FindAnywhere
	}
	switch {
	case c.Shell == "" && c.Marvin && c.Name == self():
		return itself(), c.Args, nil
	case c.Shell == "":
		path, err = lookup(c.Name, c.Environ)
		return path, c.Args, err
	}
	path, err = lookup("bash", c.Environ)
	if err != nil {
		path, err = lookup("sh", c.Environ)
	}
	return path, []string{"-c", "--", c.Shell}, err // "--": a line may begin with a dash
}

// self is the path of this program.
func self() string {
	path, _ := os.Executable()
	return path
}

// itself is this very program, even if its file was replaced (on Linux). A developer of Marvin has
// it in a directory that commands can write.
func itself() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	return self()
}
