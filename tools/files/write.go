package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/patch"
	"marvin/tools/internal/text"
)

type createArgs struct {
	Path    string `json:"path" doc:"The new file, relative to the working directory; missing directories are created" sent:"" alias:"file_path,filename,file" example:"docs/notes.md"`
	Content string `json:"content" doc:"The whole content; an empty string creates an empty file" sent:"" alias:"contents,text,file_text" example:"# Notes\n"`
}

func createTool() tools.Tool {
	return tools.WithPreview(tools.WithOutline("Create a file and its directories. Fails if the file exists: use apply_patch. Write a long file in pieces: create_file, then append_file.", tools.New(tools.Def[createArgs]{
		Name:   "create_file",
		Effect: tools.Writes,
		Doc:    "Create a new file in the working directory. Fails if the file exists: use apply_patch to change it. Write a long file in pieces: create_file, then append_file.",
		Examples: []string{
			"create a file {hello.txt|path} with {buy milk|content}",
			"make a new file called {notes.md|path}: {# Notes|content}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Exclusive,
		Places: func(env tools.Env, in createArgs) []tools.Place { return []tools.Place{env.PlaceAt(in.Path, true)} },
		Run:    create,
	})), created)
}

// created previews the new file as a diff. If the call will fail, the diff is empty.
func created(env tools.Env, in createArgs) string {
	dir, err := env.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = dir.Close() }()
	batch := dir.Batch()
	if batch.Create(in.Path, []byte(in.Content)) != nil {
		return ""
	}
	return edit.Diffs(batch.Changes())
}

func create(ctx context.Context, env tools.Env, in createArgs) (tools.Output, error) {
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	// Do not use edit.Begin: the error must say that the file exists, not that it changed.
	batch := dir.Batch()
	if err := batch.Create(in.Path, []byte(in.Content)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return tools.Output{}, exists(batch, in)
		}
		return tools.Output{}, err
	}
	if err := runnable(batch, in.Path, in.Content); err != nil {
		return tools.Output{}, err
	}
	changes, err := edit.Commit(ctx, env, batch)
	if err != nil {
		return tools.Output{}, err
	}
	view := edit.View(changes)
	if in.Content == "" { // nothing to show
		view = &messages.View{Kind: messages.Path, Text: tools.Visible(in.Path)}
	}
	return tools.Output{
		Text: fmt.Sprintf("Created %s (%s, %s).", in.Path, messages.Counted(text.CountLines([]byte(in.Content)), "line"), messages.Counted(len(in.Content), "byte")),
		View: view,
	}, nil
}

// runnable ensures that a new file is executable if the content begins with "#!".
func runnable(batch *box.Batch, name, content string) error {
	if !strings.HasPrefix(content, "#!") {
		return nil
	}
	return batch.SetMode(name, 0o755)
}

func exists(batch *box.Batch, in createArgs) error {
	err := fmt.Errorf("%s: %w", in.Path, fs.ErrExist)
	if content, readErr := batch.Read(in.Path); readErr == nil && string(content) == in.Content {
		return tools.Advise(err, "The file already has exactly this content, so nothing needs to be done.")
	}
	return tools.Advise(err, "Read the file first; then change it with apply_patch, or add to it with append_file.")
}

type appendArgs struct {
	Path    string `json:"path" doc:"An existing file, relative to the working directory" sent:"" alias:"file_path,filename,file" example:"docs/notes.md"`
	Content string `json:"content" doc:"The text to add, with its line breaks" sent:"" alias:"contents,text" example:"One more line.\n"`
}

func appendTool() tools.Tool {
	return tools.WithOutline("Append exact text to a file. If the file does not end with a line break, begin with one.", tools.New(tools.Def[appendArgs]{
		Name:   "append_file",
		Effect: tools.Writes,
		Doc:    "Append text, unchanged, to an existing file in the working directory. If the file does not end with a line break, begin the text with one.",
		Examples: []string{
			"append {one more line|content} to {todo.txt|path}",
			"add {dist/|content} to the end of {.gitignore|path}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Exclusive,
		Places: func(env tools.Env, in appendArgs) []tools.Place { return []tools.Place{env.PlaceAt(in.Path, true)} },
		Run:    appendTo,
	}))
}

func appendTo(ctx context.Context, env tools.Env, in appendArgs) (tools.Output, error) {
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	if in.Content == "" {
		return tools.Output{}, tools.Advise(errors.New("content is empty, so there is nothing to add"), "Give the text to add.")
	}
	if lines, ok := dir.CutRange(in.Path); ok {
		in.Path = lines.Name
	}
	var out tools.Output
	err = edit.Retry(ctx, func() error {
		// edit.Begin would refuse a changed file, although appending overwrites nothing.
		batch := dir.Batch()
		old, err := batch.Read(in.Path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return tools.Advise(err, "append_file needs an existing file; create_file makes a new one.")
			}
			return err
		}
		if err := edit.CheckText(in.Path, old); err != nil {
			return err
		}
		content, err := patch.Append(old, in.Content)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Path, err)
		}
		if err := batch.Write(in.Path, content); err != nil {
			return err
		}
		changes, err := edit.Commit(ctx, env, batch)
		if err != nil {
			return err
		}
		out = appended(in, old, content, changes)
		return nil
	})
	return out, err
}

func appended(in appendArgs, old, content []byte, changes []box.Change) tools.Output {
	note := ""
	if len(old) > 0 && old[len(old)-1] != '\n' && !strings.HasPrefix(text.Unix(in.Content), "\n") {
		note = fmt.Sprintf(" The file did not end with a line break, so the new text continues line %d.", text.CountLines(old))
	}
	return tools.Output{
		Text: fmt.Sprintf("Appended to %s, which now has %s.%s", in.Path, messages.Counted(text.CountLines(content), "line"), note) + edit.Linked(changes),
		View: edit.View(changes),
	}
}
