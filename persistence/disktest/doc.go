// Package disktest stands between a process and its disk, for tests: it sees every call
// of the kernel that touches a directory, may fail it, and can say what a power cut at
// any moment would have left.
//
// It works from outside, by seccomp's user notification: the kernel asks before each
// call, of whatever library makes it, and the program has no seam for it. A process is
// watched from its first instruction on if its main function begins with [Main].
//
// Decided against: an interface for files in persistence (os.Root, flock and the tools
// write past it, and 25 places would carry it), LD_PRELOAD (Go asks the kernel itself),
// ptrace (three times as slow, and one thread must do it all) and FUSE (needs rights).
package disktest
