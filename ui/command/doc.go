// Package command runs the lines that a user submits, in the same way for every front end. Package
// slash defines the commands.
//
// An [Engine] calls its client for the conversation, [Host] for the program, and [Front] for the
// screen. The package itself starts no goroutine, opens no file and runs no process.
package command
