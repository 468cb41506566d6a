// Package kernel makes the Props of every actor: under a guard, and on the goroutine of its sender where that is worth it.
package kernel
