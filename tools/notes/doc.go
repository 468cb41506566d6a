// Package notes keeps the user's notes.
//
// Notes are the user's, in ~/Notes, in every mode and directory. A project has notes of its own
// in .marvin/notes of the working directory, if the user asks for one; reading and searching
// look in both. The two line tools (file_read_lines, file_apply_patch) always mean ~/Notes.
//
// All tools are Free although a project's notes lie in the working directory: a note is
// replaced in one step and compared before, and what loses that race is prepared
// again. Waiting for the directory would make a note wait for a running command.
//
// ~/Notes itself may be a symbolic link to any place, because the user made it.
// .marvin/notes may not lead out of the project: whoever wrote a repository must
// not choose where notes go.
package notes

import (
	"marvin/tools"
)

// Tools are the tools of notes.
func Tools() []tools.Tool {
	return []tools.Tool{
		writeTool(), readTool(), listTool(), mkdirTool(), moveTool(), removeTool(), searchTool(),
		readLinesTool(), patchTool(),
	}
}
