// Package notes stores the user's notes.
//
// The user's notes are in ~/Notes, in every mode and directory. At the user's request, a note is
// stored in .marvin/notes of the working directory; it is then a project note. Reading and
// searching use both places. The two line tools (file_read_lines, file_apply_patch) always use
// ~/Notes.
//
// The field Access of every tool is Free, although project notes are in the working directory. With
// another value, a note would wait until a running command ends. A note is replaced in one atomic
// step, after a check of its old content. If the note changed meanwhile, the write is repeated.
//
// The user's directory ~/Notes may be a symbolic link to any place. The directory .marvin/notes
// must not lead out of the project, because the author of a repository must not decide where notes
// are written.
package notes

import (
	"marvin/tools"
)

// Tools returns the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{
		writeTool(), readTool(), listTool(), mkdirTool(), moveTool(), removeTool(), searchTool(),
		readLinesTool(), patchTool(),
	}
}
