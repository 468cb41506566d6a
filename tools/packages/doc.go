// Package packages installs packages into a project, or into the system with apt.
//
// The package manager runs once per package, so one missing package does not affect the others. It
// gets its arguments directly, not through a shell, so a name cannot become a command or an option.
//
// Installing a package runs code that its authors wrote. Therefore, the user sees the exact
// commands first, and unapproved commands run in the sandbox. apt cannot run in the sandbox,
// because it runs as root and writes to the system's directories. Each apt call needs the user's
// approval.
package packages
