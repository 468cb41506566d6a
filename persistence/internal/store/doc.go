// Package store reads and writes files of the user so that a crash leaves the old or the new content.
//
// Home says where the files are and Profile where those of one profile are. A document, a list
// and a text are locked, read again, changed and replaced in one step.
package store
