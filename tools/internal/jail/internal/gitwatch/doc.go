// Package gitwatch finds and reverts changes that sandboxed commands made to files that git obeys,
// such as configuration, hooks and submodules.
package gitwatch
