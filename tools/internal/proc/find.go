package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Find returns the absolute path of a program that Marvin may run outside the sandbox. It searches
// the PATH in environ, but skips relative and empty entries, because these depend on the working
// directory. It rejects a program if its path leads through an untrusted tree (see [Distrust]). For
// a script, it also checks the path of the interpreter. If Find rejects all candidates, the error
// is an [*Untrusted]. If there are no candidates, the error wraps [ErrNotFound].
func Find(name string, environ []string) (string, error) {
	return find(name, environ, distrusted(environ))
}

// FindAnywhere works like [Find], but also accepts programs that the project can write to. It is
// for programs that run in a jail or that the user chose.
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

// pathOf returns the PATH in an environment, or the default.
func pathOf(environ []string) string {
	if path := Lookup(environ, "PATH"); path != "" {
		return path
	}
	return defaultPath
}

// usedByMarvin reports whether Marvin runs the program unconfined and for its own use.
func (c Command) usedByMarvin() bool {
	return c.Jail == nil && c.Shell == "" && !c.Marvin && !c.WholePath
}

func (c Command) program() (path string, args []string, err error) {
	lookup := Find
	if c.Jail != nil || c.WholePath {
		lookup = FindAnywhere
	}
	switch {
	case c.Shell == "" && c.Marvin && c.Name == self():
		return selfPath(), c.Args, nil
	case c.Shell == "":
		path, err = lookup(c.Name, c.Environ)
		return path, c.Args, err
	}
	path, err = lookup("bash", c.Environ)
	if err != nil {
		path, err = lookup("sh", c.Environ)
	}
	return path, []string{"-c", "--", c.Shell}, err // "--" ends the options, because the shell line can begin with a dash
}

func self() string {
	path, _ := os.Executable()
	return path
}

// selfPath returns the path of the running program. On Linux, the path remains valid if the program
// file is replaced, for example by a developer who uses Marvin to develop Marvin.
func selfPath() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	return self()
}
