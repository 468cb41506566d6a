package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
)

type removeArgs struct {
	Filename string `json:"filename" doc:"The note, or an empty directory" alias:"path,name,title" example:"ideas.md"`
	Project  bool   `json:"project,omitempty" doc:"Whether the note is a project note"`
}

func removeTool() tools.Tool {
	return tools.New(tools.Def[removeArgs]{
		Name:     "remove_note",
		Effect:   tools.Irreversible,
		Doc:      "Delete a note, or an empty notes directory.",
		Examples: []string{"delete the note {ideas|filename}", "remove my note {ideas|filename}", "remove the notes folder {recipes|filename}"},
		Run:      remove,
	})
}

func remove(ctx context.Context, env tools.Env, in removeArgs) (tools.Output, error) {
	dir, _, err := existing(env, in.Filename, in.Project)
	if err != nil {
		return tools.Output{}, missing(err, in.Filename)
	}
	defer func() { _ = dir.Close() }()
	name := dir.note(in.Filename)
	if info, err := dir.Stat(strings.TrimSuffix(name, "/")); err == nil && info.IsDir() {
		if err := dir.Rmdir(strings.TrimSuffix(name, "/")); err != nil {
			return tools.Output{}, tools.Advise(err, "Marvin removes only empty directories: first delete or move the notes inside.")
		}
		return tools.Output{Text: "Removed the directory " + dir.show(name), Undo: tools.UndoneBy("notes_mkdir", mkdirArgs{Dirname: dir.inverse(strings.TrimSuffix(name, "/"))})}, nil
	}
	// The batch fails if the note changed after the model last read or wrote it.
	batch := edit.Begin(env, dir.Dir)
	old, err := batch.Read(name)
	if err != nil {
		return tools.Output{}, missing(err, in.Filename)
	}
	if err := batch.Remove(name); err != nil {
		return tools.Output{}, err
	}
	if _, err := edit.Commit(ctx, env, batch); err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: fmt.Sprintf("Deleted %s (%s)", dir.show(name), messages.Counted(utf8.RuneCount(old), "character"))}, nil
}

func missing(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return tools.Advise(fmt.Errorf("there is no note %q", tools.Visible(name)), "notes_ls lists the notes.")
	}
	return err
}

type moveArgs struct {
	Filename string `json:"filename" doc:"The note" alias:"path,name,from,title" example:"ideas.md"`
	Project  bool   `json:"project,omitempty" doc:"Whether the note is a project note"`
	To       string `json:"to" doc:"New name, or a directory that ends with /" alias:"new_name,destination,new_filename" example:"work/plans.md"`
}

func moveTool() tools.Tool {
	return tools.New(tools.Def[moveArgs]{
		Name:     "move_note",
		Effect:   tools.Writes,
		Doc:      "Rename a note or move it into another directory. Fails if the name is already in use.",
		Examples: []string{"rename the note {ideas|filename} to {plans|to}", "move the note {ideas|filename} to {work/|to}"},
		Run:      move,
	})
}

func move(ctx context.Context, env tools.Env, in moveArgs) (tools.Output, error) {
	dir, _, err := existing(env, in.Filename, in.Project)
	if err != nil {
		return tools.Output{}, missing(err, in.Filename)
	}
	defer func() { _ = dir.Close() }()
	from, to := dir.note(in.Filename), clean(in.To)
	if info, err := dir.Stat(strings.TrimSuffix(to, "/")); strings.HasSuffix(to, "/") || err == nil && info.IsDir() {
		to = path.Join(to, path.Base(from))
	}
	if to = dir.note(to); path.Ext(to) == ".md" && path.Ext(from) != ".md" && path.Ext(in.To) == "" {
		to = strings.TrimSuffix(to, ".md") + path.Ext(from) // keep the extension
	}
	err = edit.Retry(ctx, func() error {
		batch := dir.Batch()
		if err := batch.Rename(from, to); err != nil {
			return err
		}
		_, err := edit.Commit(ctx, env, batch)
		return err
	})
	var refusal *box.Refusal
	switch {
	case errors.Is(err, fs.ErrNotExist) && !errors.As(err, &refusal):
		return tools.Output{}, missing(err, in.Filename)
	case err != nil:
		return tools.Output{}, err
	}
	return tools.Output{Text: fmt.Sprintf("Moved %s to %s", dir.show(from), dir.show(to))}, nil
}
