// Package undo takes back what tools did.
//
// It knows what they wrote into files from the journal of the conversation (persistence.Undo), and so
// never looks at any other file, nor asks git. A file is taken back only if it holds what
// Marvin left in it: what somebody else changed since is refused, with the reason, and the
// other files go on. Each file is a step of its own that is written down behind it, so that
// what a crash stopped is finished by doing it again.
//
// What else tools change is taken back by other calls, which they name when they return
// (tools.Inverse): the package lists them, and whoever owns the conversation makes them as it
// makes any call. What nothing takes back has a reason, and is told.
package undo
