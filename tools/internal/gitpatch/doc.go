// Package gitpatch writes file changes as patches for "git apply" and "git apply -R". It supports
// new, deleted, moved, empty and binary files, the executable bit, and a last line without a
// newline.
package gitpatch
