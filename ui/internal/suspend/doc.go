// Package suspend stops the process as Ctrl-Z does, and tells when it goes on.
package suspend
