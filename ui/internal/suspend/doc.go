// Package suspend stops the process as Ctrl-Z does, and reports when the process continues.
package suspend
