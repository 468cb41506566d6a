// Package notes stores the user's notes.
//
// Notes are stored in ~/Notes, whatever the mode and the working directory. If the user asks for a
// project note, it is stored in .marvin/notes in the working directory. Reading and searching use
// both directories. The two line tools (file_read_lines, file_apply_patch) use only ~/Notes.
//
// Every tool in this package has [tools.Free] access, although project notes are in the working
// directory. With any other access, a tool that writes a note would have to wait for a running
// command. Before a tool replaces a note, it checks that the note has not changed since the tool
// read it. If the note has changed, the tool reads it again and repeats the write. Notes are
// replaced atomically.
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
