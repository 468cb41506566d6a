// Package notes stores the user's notes.
//
// Notes are stored in ~/Notes, independently of the mode and the working directory. Only project
// notes, which the user must ask for, are stored in .marvin/notes in the working directory. Reading
// and searching use both directories, but file_read_lines and file_apply_patch use only ~/Notes.
//
// Every tool in this package has [tools.Free] access, although project notes are in the working
// directory. With any other access, writing a note would have to wait for a running command. Notes
// are replaced atomically. If a note changes between reading and writing, write_note and move_note
// try again, and the other tools fail.
//
// ~/Notes may be a symbolic link to any directory. A link at .marvin/notes must not lead out of the
// project, because a repository's author must not decide where notes are written.
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
