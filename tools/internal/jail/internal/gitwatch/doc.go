// Package gitwatch finds the changes that commands in the sandbox made to files that git obeys,
// such as configuration, hooks and submodules, and reverts them.
package gitwatch
