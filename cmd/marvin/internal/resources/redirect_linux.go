package resources

import "golang.org/x/sys/unix"

// Redirect makes target a duplicate of the file descriptor source.
func Redirect(source, target int) error { return unix.Dup3(source, target, 0) }
