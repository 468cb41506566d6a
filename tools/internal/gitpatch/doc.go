// Package gitpatch writes changes of files as a patch that git apply takes, forward and with
// -R: also new, deleted, moved, empty and binary files, the executable bit, and a last line
// without a line break.
package gitpatch
