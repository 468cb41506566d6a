// Package sessions stores conversations, one file each.
//
// A file has a header line and one line for each step, and only grows. The index and the word index
// are derived from these files, so losing them loses nothing.
package sessions
