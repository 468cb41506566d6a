// Package disktest lets a test intercept the system calls with which a process accesses its files.
// A test can see each call that touches a directory and make the call fail.
//
// The package uses seccomp's user notifications. The kernel reports system calls from any library
// before they run, so the program only has to call [Main] at its start.
//
// Rejected alternatives:
//
//   - an interface for files in persistence: 25 places would need it, and os.Root, flock and the
//     tools would bypass it
//   - LD_PRELOAD: Go calls the kernel directly
//   - ptrace: three times as slow, and one thread must do everything
//   - FUSE: needs privileges
package disktest
