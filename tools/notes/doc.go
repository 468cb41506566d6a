// Package notes stores the user's notes.
//
// Notes are stored in ~/Notes, whatever the mode and the working directory. If the user asks for a
// project note, it is stored in .marvin/notes in the working directory. Reading and searching use
// both directories. The two line tools (file_read_lines, file_apply_patch) use only ~/Notes.
//
// All these tools have the access [tools.Free], although project notes are in the working
// directory. Otherwise, writing a note would have to wait for a running command. A note is replaced
// atomically, after a check that its content has not changed since it was read. If it has changed,
// the write is repeated.
//
// The directory ~/Notes may be a symbolic link to any directory. A link at .marvin/notes must not
// lead out of the project, because the author of a repository must not decide where notes are
// written.
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
