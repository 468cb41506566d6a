// Package notes stores the user's notes.
//
// The user's notes are in ~/Notes, in every mode and directory. A project has notes in
// .marvin/notes of the working directory, if the user asks for one; reading and searching use both
// places. The two line tools (file_read_lines, file_apply_patch) always use ~/Notes.
//
// All tools have Access Free although a project's notes are in the working directory: a note is
// replaced in one atomic step after a check of its old content, and a write that loses the race is
// repeated. With other access, a note would wait for a running command.
//
// ~/Notes itself may be a symbolic link to any place, because the user made it. .marvin/notes must
// not lead out of the project, because the author of a repository must not decide where notes are
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
