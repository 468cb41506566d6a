// Package command executes the lines that users enter. All front ends share this package. Package
// slash defines the commands.
//
// An [Engine] reaches the conversation through its client, the program through [Host], and the
// screen through [Front]. The package itself starts no goroutine, opens no file and runs no
// process.
package command
