// Package command runs the lines that a user submits, in the same way for every front end. Package
// slash defines the commands.
//
// An [Engine] reaches the conversation through its client, the program through [Host], and the
// screen through [Front]. The package itself starts no goroutine, opens no file and runs no
// process.
package command
