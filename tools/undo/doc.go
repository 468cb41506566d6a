// Package undo reverses changes made by tools.
//
// It reads changes to files from the conversation's journal (undolog.Journal), so it does not need
// git. It restores a file only if the file still has the content that Marvin wrote last. Otherwise,
// it gives the reason and continues with the next file. Each file is a separate, recorded step, so
// repeating an interrupted undo completes it.
//
// Other changes are reversed by tool calls. A tool returns the call that reverses its change
// (tools.Inverse). The package lists these calls, and the conversation's owner makes them like
// ordinary calls. If a change cannot be reversed, the user sees the reason.
package undo
