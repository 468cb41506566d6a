// Package undolog stores the contents of files before tools changed them, so that changes can be
// undone.
package undolog
