//go:build !linux

// Package filter builds seccomp filters, which exist only on Linux.
package filter

import "syscall"

// Childless has no effect on this system.
func Childless() (attributes func(*syscall.SysProcAttr)) { return func(*syscall.SysProcAttr) {} }
