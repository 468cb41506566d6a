// Package undo reverses the changes of tools.
//
// It reads the changes of files from the conversation's journal (undolog.Journal). So it needs
// neither git nor any other file. It restores a file only if the file still has the content of
// Marvin's last change. For any other file, it gives the reason, and continues with the next file.
// Each file is a separate, recorded step, so repeating an interrupted undo completes it.
//
// Other changes are reversed by calls, which tools name in their results (tools.Inverse). The
// package lists these calls, and the conversation's owner makes them like ordinary calls. If a
// change cannot be reversed, the user sees the reason.
package undo
