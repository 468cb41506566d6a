// Package audit writes and reads the log of all tool calls.
package audit
