// Package gitwatch finds what commands in the sandbox changed of what a repository makes git run:
// its configuration, hooks, included files and submodules.
package gitwatch
