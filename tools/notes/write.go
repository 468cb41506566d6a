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
	"marvin/tools/internal/patch"
)

type writeArgs struct {
	Filename string `json:"filename" doc:"Name of the note, with directories if needed; .md is optional" alias:"path,name,title" example:"ideas.md"`
	Content  string `json:"content" doc:"Text of the note, in Markdown" alias:"text,note" example:"- buy milk\n"`
	Append   bool   `json:"append" doc:"Add to the end of the note" default:"false"`
	Replace  bool   `json:"replace,omitempty" doc:"Replace an existing note instead of adding to it"`
	Project  bool   `json:"project,omitempty" doc:"Use a project note; only on request"`
}

func writeTool() tools.Tool {
	return tools.New(tools.Def[writeArgs]{
		Name:   "write_note",
		Effect: tools.Writes,
		Doc:    "Create a note for the user, or add to an existing note. Notes are Markdown files in ~/Notes.",
		Examples: []string{
			"write a note called {ideas|filename}: {buy milk|content}",
			"save the note {shopping|filename} with {eggs and bread|content}",
			"save a note {meeting|filename} saying {moved to Friday|content}",
			"write a project note called {plan|filename}: {release on Monday|content} {=true|project}",
		},
		Chat: true,
		Run:  write,
	})
}

func write(ctx context.Context, env tools.Env, in writeArgs) (out tools.Output, err error) {
	dir, err := open(env, in.Filename, in.Project, true)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := dir.note(in.Filename)
	if strings.HasSuffix(name, "/") {
		return tools.Output{}, tools.Advise(fmt.Errorf("%q names a directory", tools.Visible(name)), "Give the name of a note in this directory; notes_mkdir makes a directory.")
	}
	content := in.Content
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	err = edit.Retry(ctx, func() error {
		out, err = writeOnce(ctx, env, dir, name, content, in)
		return err
	})
	return out, err
}

func writeOnce(ctx context.Context, env tools.Env, dir place, name, content string, in writeArgs) (tools.Output, error) {
	batch := dir.Batch()
	if in.Replace {
		batch = edit.Begin(env, dir.Dir) // the batch refuses a note that changed after the model last read it
	}
	old, err := batch.Read(name)
	verb, there := "Wrote", ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = batch.Create(name, []byte(content))
	case err != nil:
	case !in.Replace && !in.Append && len(old) > 0 && strings.HasPrefix(content, string(old)):
		verb, err = "Replaced", batch.Write(name, []byte(content)) // the new text begins with the old text, so nothing is lost
	case !in.Replace:
		if !in.Append {
			there = "; the note already existed, so its old text was kept (use replace: true to replace it)"
		}
		verb = "Appended to"
		err = appendText(batch, name, old, content)
	default:
		verb = "Replaced"
		err = batch.Write(name, []byte(content))
	}
	if err != nil {
		return tools.Output{}, err
	}
	changes, err := edit.Commit(ctx, env, batch)
	if err != nil {
		return tools.Output{}, err
	}
	out := tools.Output{Text: fmt.Sprintf("%s %s (%s)", verb, dir.show(name), messages.Counted(utf8.RuneCountInString(content), "character"))}
	out.Text += there
	switch verb {
	case "Replaced":
		out.Text += fmt.Sprintf("; it had %s before", messages.Counted(utf8.RuneCount(old), "character"))
		out.View = edit.View(changes)
	case "Wrote":
		out.View = &messages.View{Kind: messages.Path, Text: tools.Visible(dir.show(name))}
	}
	return out, nil
}

// appendText appends content to a note. The content starts on a new line.
func appendText(batch *box.Batch, name string, old []byte, content string) error {
	if err := edit.CheckText(name, old); err != nil {
		return err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		content = "\n" + content
	}
	added, err := patch.Append(old, content)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return batch.Write(name, added)
}

type mkdirArgs struct {
	Dirname string `json:"dirname" doc:"Directory to create below ~/Notes" alias:"path,name" example:"recipes"`
	Project bool   `json:"project,omitempty" doc:"Create the directory for project notes; only on request"`
}

func mkdirTool() tools.Tool {
	return tools.New(tools.Def[mkdirArgs]{
		Name:     "notes_mkdir",
		Effect:   tools.Writes,
		Doc:      "Create a directory for notes. Not needed before write_note, which creates missing directories.",
		Examples: []string{"make a notes folder called {recipes|dirname}", "create the notes directory {work/2026|dirname}"},
		Run:      mkdir,
	})
}

func mkdir(_ context.Context, env tools.Env, in mkdirArgs) (tools.Output, error) {
	dir, err := open(env, in.Dirname, in.Project, true)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := clean(in.Dirname)
	if info, err := dir.Stat(name); err == nil && info.IsDir() {
		return tools.Output{Text: dir.show(name) + " is already there."}, nil
	}
	var undo *tools.Inverse
	if above, err := dir.Stat(path.Dir(name)); err != nil || !above.IsDir() {
		undo = tools.CannotUndo("new directories stay; remove an empty one with remove_note")
	}
	made, err := dir.Mkdir(name)
	if err != nil {
		return tools.Output{}, err
	}
	if undo == nil {
		undo = tools.UndoneBy("remove_note", removeArgs{Filename: dir.inverse(made) + "/"})
	}
	return tools.Output{Text: "Made " + dir.show(made) + "/", Undo: undo}, nil
}
