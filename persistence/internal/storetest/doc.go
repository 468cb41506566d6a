// Package storetest contains helpers for the tests of several stores: a fixed time, files, and
// child processes with a single task.
package storetest
