// Package notes stores the user's notes.
//
// Notes are stored in ~/Notes, whatever the mode and the working directory. On request, a project
// note is stored in .marvin/notes in the working directory. read_note, notes_ls and search_notes
// use both directories. file_read_lines and file_apply_patch use only ~/Notes.
//
// Every tool in this package has [tools.Free] access, although project notes are in the working
// directory. With any other access, writing a note would have to wait for a running command. Notes
// are replaced atomically. If a note changes after a call has read it, write_note and move_note try
// again, and the other tools fail.
//
// ~/Notes can be a symbolic link to any directory. A link at .marvin/notes is never followed out of
// the project: otherwise a repository's author could decide where notes are written.
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
