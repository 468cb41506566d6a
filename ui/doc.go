// Package ui contains the parts that all front ends share. A front end is a client of a
// conversation.
//
// A front end sends ops and reads events. Each front end has its own directory. Package headless
// runs one prompt for a program that reads standard output. Package plain shows a conversation in
// lines, for slow links, screen readers and pipes. Package tui is the full-screen front end.
// Package rpc exchanges lines of JSON with other programs. Package acp serves editors over the
// Agent Client Protocol. Package web shows pages in a browser. With package door, windows of other
// processes can join a conversation.
//
// The front ends share the other packages. Package conversation builds the state from events.
// Package view displays a conversation, and package transcript exports it. Package slash contains
// the table of commands, and package command runs them. Package keymap defines the keys, and
// package theme defines the colors. Package paths finds files by some letters of their paths.
// Package asking holds the state of questions and forms. Package lineedit is the line editor.
// Package changes shows a conversation's changes to files. Package jsonl writes lines of JSON. Only
// package termsafe makes external text safe for a terminal.
package ui
