// Package reason describes in words why a system call failed. It omits the call, the addresses and
// the paths that the library adds. The original error stays wrapped.
package reason
