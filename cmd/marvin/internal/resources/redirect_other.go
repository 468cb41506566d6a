//go:build unix && !linux

package resources

import "golang.org/x/sys/unix"

// Redirect makes the file descriptor target refer to the same file as source.
func Redirect(source, target int) error { return unix.Dup2(source, target) }
