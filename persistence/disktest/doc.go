// Package disktest lets a test intercept the system calls with which a process accesses its files.
// A test can see each call that touches a directory and make the call fail.
//
// The package uses seccomp's user notifications. The kernel asks before each system call, whichever
// library makes the call, so the program only has to call [Main] at its start.
//
// Rejected alternatives: an interface for files in persistence (os.Root, flock and the tools bypass
// it, and 25 places would need it), LD_PRELOAD (Go calls the kernel directly), ptrace (three times
// as slow, and one thread must do everything) and FUSE (needs privileges).
package disktest
