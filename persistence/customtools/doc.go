// Package customtools reads the tools that a user or a project defines in folders, and stores which
// of a project's tools the user accepted.
package customtools
