// Package command understands what a person submits and carries it out, the same for
// every front end.
//
// [Parse] makes a typed command of a line, [Table] says what there is, and an [Engine]
// carries commands out: what the conversation does goes to its client, what the
// program around it does goes through [Host], and what the screen does through
// [Front]. The package itself starts no goroutine, opens no file and runs nothing.
//
// Decided against: one type per command. There would be twenty of them with one text
// each; a verb and a text say the same.
package command
