// Package storetest contains test helpers for several packages: a fixed time, files, and child
// processes with a single task.
package storetest
