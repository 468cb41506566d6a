// Package store reads and writes files of the user so that a crash leaves the old or the new
// content.
//
// A [Home] locates the user's files and a [Profile] those of one profile. Documents, lists and
// texts are locked, read again, changed and replaced in one step.
package store
