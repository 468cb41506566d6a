// Package disktest sits between a process and its disk, for tests: it sees each system call that
// touches a directory, can make it fail, and can say what a power cut at any moment would leave.
//
// It works from outside, with seccomp's user notification: the kernel asks before each call, from
// any library, and the program needs no seam for it. A process is watched from its first
// instruction if its main function begins with [Main].
//
// Decided against: an interface for files in persistence (os.Root, flock and the tools write past
// it, and 25 places would carry it), LD_PRELOAD (Go calls the kernel directly), ptrace (three times
// as slow, and one thread must do everything) and FUSE (needs privileges).
package disktest
