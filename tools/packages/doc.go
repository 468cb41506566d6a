// Package packages installs packages, either into a project or, using apt, into the system.
//
// The package manager runs once per package, without a shell. One missing package does not affect
// the others, and a name cannot become a command or an option.
//
// An installation runs code from the package. Therefore, the user sees the exact commands first,
// and unapproved commands run in the sandbox. apt cannot run in the sandbox, because apt runs as
// root and writes to the system's directories. Each apt call needs the user's approval.
package packages
