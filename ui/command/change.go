package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/ui/conversation"
	"marvin/ui/transcript"
)

// OpenChange opens the first changed file of a unified diff in the user's editor, at the first
// change. The next prompt tells the model about the user's edits.
func OpenChange(e *Engine, diff string) {
	path, line := firstChange(diff)
	if path == "" {
		e.warn("There is no file to open, because this change removed it.")
		return
	}
	editAt(e, path, line, func() { e.say(fmt.Sprintf("%s:%d", path, line)) })
}

// firstChange returns the path and the line of the first change in a unified diff, or "" and 0 if
// there is none. It skips removed files.
func firstChange(diff string) (path string, line int) {
	for text := range strings.Lines(diff) {
		text = strings.TrimRight(text, "\r\n")
		name, isName := strings.CutPrefix(text, "+++ ")
		hunk, isHunk := strings.CutPrefix(text, "@@ -")
		switch {
		case line > 0 && text != "" && text[0] == ' ':
			line++
		case line > 0:
			return path, line
		case isName:
			path, _, _ = strings.Cut(strings.TrimPrefix(name, "b/"), "\t")
		case isHunk && path != "" && path != "/dev/null":
			_, hunk, _ = strings.Cut(hunk, " +")
			line, _ = strconv.Atoi(hunk[:max(strings.IndexAny(hunk, ", "), 0)])
			line = max(line, 1)
		}
	}
	if line == 0 {
		path = ""
	}
	return path, line
}

// editAt opens the user's editor at a line of a file. Without a terminal, it calls fallback
// instead.
func editAt(e *Engine, path string, line int, fallback func()) {
	var changed string
	err := e.Front.Suspend(func() (err error) {
		changed, err = e.Host.EditAt(path, e.Talk.Dir, line)
		return err
	})
	switch {
	case errors.Is(err, ErrNoTerminal):
		fallback()
	case err != nil:
		e.fail(err)
	case changed != "":
		reportEdits(e, path, changed)
	}
}

// reportEdits stores the user's edits of a file for the next prompt.
func reportEdits(e *Engine, path, diff string) {
	e.Lines.tell("an editor, and changed "+path+":", diff)
	e.Talk.AddStep(transcript.Step{At: e.Now(), Role: "shell", Name: "edit " + path, Text: conversation.Head(diff, remembered)})
	e.say("Your next prompt tells the model about your changes to " + path + ".")
}
