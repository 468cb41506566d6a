// Package audit writes and reads the log of all calls of tools.
package audit
