// Package undo reverses what tools did.
//
// The journal of the conversation (undolog.Journal) lists the changes of files, so it never looks
// at any other file, nor asks git. A file is restored only if it holds what Marvin left in it: a
// file that changed since is refused, with the reason, and the others continue. Each file is a
// separate, recorded step, so repeating an interrupted undo completes it.
//
// Other changes are reversed by calls that the tools name in their results (tools.Inverse): the
// package lists them, and the conversation's owner makes them as ordinary calls. What cannot be
// reversed has a reason, which is shown.
package undo
