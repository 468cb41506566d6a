//go:build !linux

// Package filter has the seccomp filters, which only Linux has.
package filter

import "syscall"

// Childless holds nothing here.
func Childless() (attributes func(*syscall.SysProcAttr)) { return func(*syscall.SysProcAttr) {} }
