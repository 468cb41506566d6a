// Package ui is what every front end has in common: a client of a conversation.
//
// A front end sends ops and reads events and knows nothing else. Each has a folder:
// headless (one prompt for a program that reads standard output), plain (lines, for slow
// links, screen readers and pipes), tui (the full screen) and rpc (lines of JSON, for
// programs that hold a conversation), and acp (editors, by the Agent Client Protocol).
//
// What they share: conversation is what the events tell, command takes what a person types,
// keymap says what keys do, theme knows colours, paths finds files by letters, view is the
// conversation as it is drawn, asking what a question shows and takes, lineedit the line that
// is edited, changes what a conversation changed in files, transcript what an export looks like,
// jsonl reads and writes lines of JSON. termsafe is the one place where text that Marvin
// did not write is made safe for a terminal.
package ui
