// Package gitpatch writes changes of files as a patch for git apply, which can also be reverted
// with -R. It supports new, deleted, moved, empty and binary files, the executable bit, and a last
// line without a newline.
package gitpatch
