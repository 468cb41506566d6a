package tools

import "marvin/tools/internal/proc"

// Program returns the absolute path of a program for use outside the sandbox. It searches PATH, but
// rejects programs that a project can write to.
func Program(name string, environ []string) (string, error) { return proc.Find(name, environ) }

// ErrNoProgram means that a program is not installed.
var ErrNoProgram = proc.ErrNotFound

// Untrusted is the error for a program that was found only where a project can write. [errors.Is]
// treats the error as [ErrNoProgram].
type Untrusted = proc.Untrusted

// Distrust returns an environment in which the given directory trees are also untrusted, because a
// project or a confined command can write there. A program whose path leads into or through such a
// tree runs only inside the sandbox. Distrust ignores relative paths and the root directory.
func Distrust(environ []string, trees ...string) []string { return proc.Distrust(environ, trees...) }

// Trusted returns an environment for programs that Marvin starts for its own use. It keeps API
// keys, but omits variables and PATH entries that point to places where a project can write.
func Trusted(environ []string) []string { return proc.Trusted(environ) }

// PlainEnviron returns the user's own environment, for a shell that the user runs.
func PlainEnviron(environ []string) []string { return proc.PlainEnviron(environ) }

// LeftOut returns the directories in PATH to which a project can write. [Trusted] omits these
// directories.
func LeftOut(environ []string) []string {
	_, left := proc.TrustedPath(environ)
	return left
}

// distrusting returns a copy of e that does not trust programs in directories where a call can
// write. Calls, previews and approval questions use this copy.
func (e Env) distrusting() Env {
	e.Environ = Distrust(e.Environ, append(e.Sandbox.Trees(), e.Root, e.Dir)...)
	return e
}
