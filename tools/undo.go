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

// Keeper keeps the content of files before a call changes them, so that the user can undo that. It
// never refuses: a failure is reported to the user.
type Keeper interface {
	// Keep is called before the files change. The returned function is called if none of them did.
	Keep(changes []FileChange) (failed func())
}
