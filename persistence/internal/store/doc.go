// Package store reads and writes the user's files. After a crash, a file has either its old or its
// new content.
//
// A [Home] locates the user's files, and a [Profile] locates those of one profile. Documents, lists
// and text files are locked, read again, changed and replaced in one step.
package store
