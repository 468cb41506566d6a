// Package suspend stops the process as Ctrl-Z does, and reports when it continues.
package suspend
