// Package undo reverses changes made by tools.
//
// It restores files from the conversation's journal (undolog.Journal), so it does not need git. It
// skips a file that has changed since Marvin's last write, and gives the reason. Each file is a
// separate, recorded step, so repeating an interrupted undo completes it.
//
// A tool that changes something other than files returns the call that reverses the change
// (tools.Inverse). The package lists these calls, and its caller runs them like ordinary calls. If
// a change cannot be reversed, the user sees the reason.
package undo
