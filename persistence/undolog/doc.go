// Package undolog stores what files contained before tools changed them, so that the changes can be
// undone.
package undolog
