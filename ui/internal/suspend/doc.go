// Package suspend stops the process as Ctrl-Z does, and reports its continuation.
package suspend
