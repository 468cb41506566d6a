// Package command carries out what a user submits, the same for every front end. Package slash says
// which commands there are.
//
// What the conversation does goes to the client of an [Engine], what the program around it does
// goes through [Host], and what the screen does through [Front]. The package itself starts no
// goroutine, opens no file and runs nothing.
package command
