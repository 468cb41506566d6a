// Package ui contains the parts that all front ends share. A front end is a client of a
// conversation.
//
// A front end sends ops and reads events. Each has its own directory: headless (one prompt for a
// program that reads standard output), plain (lines, for slow links, screen readers and pipes), tui
// (the full screen), rpc (lines of JSON, for programs that hold a conversation) and acp (editors,
// with the Agent Client Protocol). door lets windows of other processes join a conversation. web is
// a page for a browser.
//
// Shared packages are: conversation, the state built from events; slash, the table of commands;
// command, which runs them; keymap, the keys; theme, the colors; paths, fuzzy file names; view, the
// displayed conversation; asking, the questions; lineedit, the line editor; changes, a
// conversation's changes to files; transcript, the export; jsonl, lines of JSON. Only termsafe
// makes external text safe for a terminal.
package ui
