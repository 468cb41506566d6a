// Package gitpatch writes changes of files as a patch. git apply can apply the patch, and git apply
// -R reverts it. The package supports new, deleted, moved, empty and binary files, the executable
// bit, and a last line without a newline.
package gitpatch
