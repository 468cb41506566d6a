// Package customtools reads the tools that a user or a project defines in folders, and keeps which of a
// project the user accepted.
package customtools
