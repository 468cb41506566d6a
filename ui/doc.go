// Package ui has the parts that every front end shares: a front end is a client of a conversation.
//
// A front end sends ops and reads events. Each has a folder: headless (one prompt for a program
// that reads standard output), plain (lines, for slow links, screen readers and pipes), tui (the
// full screen), rpc (lines of JSON, for programs that hold a conversation) and acp (editors, by the
// Agent Client Protocol). Through door, windows of other processes join a
// conversation. web is a page for a browser.
//
// They share: conversation, the state from events; slash, the commands that there are; command,
// which carries them out; keymap, the keys;
// theme, the colors; paths, fuzzy file names; view, the conversation as drawn; asking, the
// questions; lineedit, the line editor; changes, a conversation's changes in files; transcript, the
// export; jsonl, lines of JSON. termsafe is the only place that makes foreign text safe for a
// terminal.
package ui
