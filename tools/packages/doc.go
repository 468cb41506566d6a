// Package packages installs packages into a project, or into the system with apt.
//
// Each package is one run of the package manager, with arguments and never through a shell, so that
// a missing one does not affect the others and a name is never a command or an option. Installing
// runs strangers' code: the user sees the exact commands first, and unapproved ones run in the
// sandbox, like commands. apt cannot: it is root, and writes where every program is. It runs only
// after the user approved that very call.
package packages
