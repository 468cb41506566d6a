package tools

import "marvin/tools/internal/proc"

// Program finds a program that Marvin may run for itself or for the user: on PATH, but never in a
// place that a project can write. The error names the cause and the next step.
func Program(name string, environ []string) (string, error) { return proc.Find(name, environ) }

// ErrNoProgram means that a program is not installed.
var ErrNoProgram = proc.ErrNotFound

// Untrusted is the error for a program that exists only in places that a project can change.
// errors.Is matches this error with ErrNoProgram, too.
type Untrusted = proc.Untrusted

// Distrust returns an environment in which further directory trees are untrusted, because a project
// or a confined command can write there. A program in such a tree runs only inside the sandbox, and
// so does a program whose path leads through such a tree. Relative paths are ignored.
func Distrust(environ []string, trees ...string) []string { return proc.Distrust(environ, trees...) }

// Trusted returns an environment for one of Marvin's own long-running programs: PATH and other
// variables contain no directory that a project can write. It still contains the keys.
func Trusted(environ []string) []string { return proc.Trusted(environ) }

// PlainEnviron returns the user's own environment, for a shell that the user runs.
func PlainEnviron(environ []string) []string { return proc.PlainEnviron(environ) }

// LeftOut returns the directories of PATH in which Marvin does not look for its own programs,
// because a project can write there.
func LeftOut(environ []string) []string {
	_, left := proc.TrustedPath(environ)
	return left
}

// distrusting returns an environment that does not trust programs in places where a call can write.
// Every call and the questions about the call use this environment.
func (e Env) distrusting() Env {
	e.Environ = Distrust(e.Environ, append(e.Sandbox.Trees(), e.Root, e.Dir)...)
	return e
}
