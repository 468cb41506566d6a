//go:build unix && !linux

package resources

import "golang.org/x/sys/unix"

// Redirect makes the second file descriptor refer to the same file as the first.
func Redirect(from, to int) error { return unix.Dup2(from, to) }
