// Package suspend stops the process as Ctrl-Z does, and notifies the caller when the process
// continues.
package suspend
