// Package sessions keeps conversations, one file each.
//
// A file has a header and one line for each step, and only grows. The index and the word index
// are derived from the files and can be lost without loss.
package sessions
