package language

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
)

// Formatted reports whether Marvin formats the files that this tool writes.
func Formatted(tool *tools.Tool) bool {
	return slices.Contains([]string{"create_file", "append_file", "apply_patch"}, tool.Name)
}

// Format formats a file that a call has just written. It returns a note for the model, or "" if
// nothing changed. serverCtx limits how long the server may take. The file must still have the
// content that the call wrote.
func Format(ctx, serverCtx context.Context, env tools.Env, session *Session, file File) (string, error) {
	after, err := session.Format(serverCtx, file)
	if err != nil || string(after) == string(file.Content) {
		return "", err
	}
	dir, err := env.Open()
	if err != nil {
		return "", err
	}
	defer func() { _ = dir.Close() }()
	name, err := filepath.Rel(dir.Real(), file.Path)
	if err != nil {
		return "", err
	}
	batch := dir.Batch()
	now, err := batch.Read(filepath.ToSlash(name))
	if err == nil && string(now) != string(file.Content) {
		err = box.ErrChanged
	}
	if err == nil {
		err = batch.Write(filepath.ToSlash(name), after)
	}
	if err != nil {
		return "", err
	}
	done, err := edit.Commit(ctx, env, batch)
	if err != nil {
		return "", err
	}
	return formattingNote(session.Name(), done), nil
}

// formattingNote returns a note that tells the model what the server changed.
func formattingNote(server string, done []box.Change) string {
	var text strings.Builder
	for _, one := range done {
		added, removed := edit.Size(one)
		lines := max(added, removed)
		if lines == 0 {
			fmt.Fprintf(&text, "Formatted %s with %s, which changed the file's line endings.\n", one.Name, server)
			continue
		}
		shown, cut := previewLimits.Cut(edit.Diff(one))
		fmt.Fprintf(&text, "Formatted %s with %s, which changed %s:\n%s", one.Name, server, messages.Counted(lines, "line"), shown)
		if cut {
			text.WriteString("\nThis diff is incomplete: read the file again before you change it.\n")
		}
	}
	return tools.Visible(text.String())
}
