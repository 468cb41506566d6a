package conv

import (
	"maps"

	"marvin/persistence/projects"
)

// Trust holds the user's answer for each directory, and the hash of each file that the model reads.
// If a file changes in a directory in which the conversation already works, the user is told of the
// change but not asked, because most such changes are the conversation's own edits. A sub-agent
// receives the Trust of its caller.
type Trust map[string]bool

// Extended returns a copy of the Trust that also contains these directories and files.
func (t Trust) Extended(dirs []string, files []projects.Text) Trust {
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
