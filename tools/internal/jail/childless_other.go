//go:build !linux

package jail

import "syscall"

// Childless holds nothing here.
func Childless() (attributes func(*syscall.SysProcAttr)) { return func(*syscall.SysProcAttr) {} }
