package conv

import (
	"maps"

	"marvin/persistence/projects"
)

// Trust maps a directory, or the hash of a file, to whether the model is allowed to read it. If a
// file in an approved directory changes, the user is informed but not asked, because most such
// changes come from the conversation itself. A sub-agent receives the Trust of its caller.
type Trust map[string]bool

// Extended returns a copy of t that also allows the model to read dirs and files.
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
