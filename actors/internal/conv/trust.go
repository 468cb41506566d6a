package conv

import (
	"maps"

	"marvin/persistence/projects"
)

// Trust holds decisions of a conversation: by directory (the user's answer) and by hash of a file
// (what its model reads). A file that changes in a directory the conversation already works in,
// mostly through its own edits, is reported but not asked about. Sub-agents receive their caller's
// trust and read nothing beyond it.
type Trust map[string]bool

// With adds directories and files that are used.
func (t Trust) With(dirs []string, files []projects.Text) Trust {
	more := maps.Clone(t)
	if more == nil {
		more = Trust{}
	}
	for _, dir := range dirs {
		more[dir] = true
	}
	for _, file := range files {
		more[file.Hash()] = true
	}
	return more
}
