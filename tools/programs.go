package tools

import "marvin/tools/internal/proc"

// Program finds a program that Marvin may run for itself or for the person: on PATH, but
// never where a project can write. The error names the cause and the next step.
func Program(name string, environ []string) (string, error) { return proc.Find(name, environ) }

// ErrNoProgram is the error of a program that is not there.
var ErrNoProgram = proc.ErrNotFound

// Untrusted is the error of a program that is there, but only where a project can write.
// It is an ErrNoProgram, too.
type Untrusted = proc.Untrusted

// Distrust marks trees that a project, or a command that is held, can write: no program
// that lies there, or is reached through them, is run outside the sandbox. What is not absolute is
// passed over.
func Distrust(environ []string, trees ...string) []string { return proc.Distrust(environ, trees...) }

// Trusted is an environment for a program of Marvin's own that lives on: with a PATH,
// and with other variables, that lead nowhere where a project can write. The keys are
// still in it.
func Trusted(environ []string) []string { return proc.Trusted(environ) }

// Plain is an environment as the person has it, for a shell of theirs.
func Plain(environ []string) []string { return proc.Plain(environ) }

// LeftOut are the directories of PATH in which Marvin looks for no program of its own,
// because a project can write there.
func LeftOut(environ []string) []string {
	_, left := proc.TrustedPath(environ)
	return left
}

// distrusting marks the places a call can write as untrusted for programs. Every call passes here,
// and so do questions about it.
func (e Env) distrusting() Env {
	e.Environ = Distrust(e.Environ, append(e.Sandbox.Trees(), e.Root, e.Dir)...)
	return e
}
