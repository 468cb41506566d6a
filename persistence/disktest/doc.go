// Package disktest intercepts, in tests, the system calls with which a process accesses its files.
// It can show each call that touches a directory, and make it fail.
//
// It uses seccomp's user notifications. The kernel asks before each system call, whichever library
// makes the call. So the program needs no change. A process is watched from its start if its main
// function begins with [Main].
//
// Rejected alternatives: an interface for files in persistence (os.Root, flock and the tools bypass
// it, and 25 places would need it), LD_PRELOAD (Go calls the kernel directly), ptrace (three times
// as slow, and one thread must do everything) and FUSE (needs privileges).
package disktest
