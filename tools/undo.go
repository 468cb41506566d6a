package tools

import "io/fs"

// FileChange is what a tool is about to do to one file.
type FileChange struct {
	Dir, Name             string // the directory, absolute and free of links, and the file in it
	Path                  string // as tools call it, absolute
	Before, After         []byte // nil if there was, or will be, no file
	BeforeMode, AfterMode fs.FileMode
	Made                  []string // directories that are made for it, in Dir
}

// Keeper keeps what files hold that a call is about to change, so that a person can take
// that back. It never refuses: a change that cannot be kept is told to the person.
type Keeper interface {
	// Keep is told before the files are changed. The function that it returns is told
	// when none of them was.
	Keep(changes []FileChange) (failed func())
}
