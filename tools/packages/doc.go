// Package packages installs packages into a project, or into the system with apt.
//
// Each package is one run of the package manager, with arguments and never through a
// shell, so that one that does not exist does not keep the others away and a name is
// never a command or an option. Installing runs code of strangers: a person is shown
// the exact commands first, and where nobody looks they run in the sandbox, as commands
// do. apt cannot: it is root, and writes where everybody's programs are. It runs only
// after a person said yes to that very call.
package packages
