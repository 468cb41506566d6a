// Package reason says why a call of the system failed, in words for people: without the
// call, the addresses and the paths that the library puts in front of it. The error that is
// worded stays inside and can be asked for.
package reason
