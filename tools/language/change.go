package language

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	lsp "marvin/tools/internal/language"
)

type renameArgs struct {
	Path  string `json:"path" doc:"The file, relative to the working directory" alias:"file_path,filename,file" example:"main.go"`
	Line  int    `json:"line" doc:"The line, counted from 1" min:"1" alias:"line_number" example:"12"`
	Name  string `json:"name" doc:"A name on this line; name#2 means its second occurrence" alias:"symbol,identifier" example:"parse"`
	To    string `json:"to" doc:"The new name" alias:"new_name,newname" example:"decode"`
	Apply bool   `json:"apply" doc:"Make the changes; the default is only to show them" default:"false"`
}

func renameTool() tools.Tool {
	return tools.New(tools.Def[renameArgs]{
		Name: "code_rename", Brings: tools.Private, Effect: tools.Writes,
		Doc:      "Rename a symbol everywhere, using the file's language server. Call the tool first without \"apply\" to see the changes, then with \"apply\": true to make them.",
		Examples: []string{"rename {parse|name} of line {12|line} in {main.go|path} to {decode|to}", "what would change if {Config|name} in {server.ts|path} line {40|line} was called {Settings|to}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Proc, Timeout: patience,
		Run: func(ctx context.Context, env tools.Env, in renameArgs) (tools.Output, error) {
			server, at, err := spotArgs{Path: in.Path, Line: in.Line, Name: in.Name}.position(ctx, env)
			if err != nil {
				return tools.Output{}, err
			}
			changes, err := server.Rename(ctx, at, in.To)
			if err != nil {
				return tools.Output{}, advise(err)
			}
			return propose(ctx, env, changes, in.Apply)
		},
	})
}

type actionsArgs struct {
	Path  string `json:"path" doc:"The file, relative to the working directory" alias:"file_path,filename,file" example:"main.go"`
	Line  int    `json:"line" doc:"The line, counted from 1" min:"1" alias:"line_number" example:"12"`
	Name  string `json:"name,omitempty" doc:"A name on this line; lists only the actions for this name" alias:"symbol,identifier"`
	Take  string `json:"take,omitempty" doc:"Title of an action in the list" alias:"title,action" example:"Organize Imports"`
	Apply bool   `json:"apply" doc:"Make the changes; the default is only to show them" default:"false"`
}

func actionsTool() tools.Tool {
	return tools.New(tools.Def[actionsArgs]{
		Name: "code_actions", Brings: tools.Private, Effect: tools.Writes,
		Doc:      "List the language server's actions for a line: quick fixes, imports, refactorings. With \"take\", shows what one action would change; \"apply\": true also makes the changes.",
		Examples: []string{"quick fixes for line {12|line} of {main.go|path}", "organize the imports of {main.go|path} at line {3|line}: {Organize Imports|take}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Proc, Timeout: patience,
		Run: actions,
	})
}

func actions(ctx context.Context, env tools.Env, in actionsArgs) (tools.Output, error) {
	server, at, err := spotArgs{Path: in.Path, Line: in.Line, Name: in.Name}.position(ctx, env)
	if err != nil {
		return tools.Output{}, err
	}
	list, err := server.Actions(ctx, at)
	if err != nil {
		return tools.Output{}, advise(err)
	}
	var titles []string
	for _, one := range list {
		if in.Take != "" && strings.EqualFold(one.Title, in.Take) {
			changes, err := server.Apply(ctx, one)
			if err != nil {
				return tools.Output{}, advise(err)
			}
			return propose(ctx, env, changes, in.Apply)
		}
		titles = append(titles, strings.TrimSpace(fmt.Sprintf("%s  (%s)", one.Title, one.Kind)))
	}
	text := tools.Visible(strings.Join(titles, "\n"))
	switch {
	case in.Take != "" && len(titles) > 0:
		return tools.Output{}, tools.Advise(fmt.Errorf("%q is not offered for line %d", in.Take, in.Line), "Set \"take\" to one of these titles, without the brackets:\n%s", text)
	case len(titles) == 0:
		return tools.Output{Text: "The language server offers no actions for this line."}, nil
	}
	return tools.Output{Text: text}, nil
}

// propose returns a description of the changes and, if apply is true, makes the changes. It returns
// an error if a file has changed since the server proposed the changes.
func propose(ctx context.Context, env tools.Env, changes []lsp.Edited, apply bool) (tools.Output, error) {
	if len(changes) == 0 {
		return tools.Output{Text: "Nothing would change."}, nil
	}
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	batch := dir.Batch()
	for _, one := range changes {
		name, err := filepath.Rel(dir.Real(), one.Path)
		if err != nil || !filepath.IsLocal(name) {
			return tools.Output{}, fmt.Errorf("%s is outside the working directory; nothing was changed", tools.Visible(one.Path))
		}
		now, err := batch.Read(name)
		if err == nil && string(now) != one.Before {
			err = box.ErrChanged
		}
		if err == nil {
			err = batch.Write(name, []byte(one.After))
		}
		if err != nil {
			return tools.Output{}, fmt.Errorf("%s: %w; nothing was changed", tools.Visible(name), err)
		}
	}
	done := batch.Changes()
	view := edit.View(done)
	if apply {
		if done, err = edit.Commit(ctx, env, batch); err != nil {
			if errors.Is(err, box.ErrChanged) {
				return tools.Output{}, tools.Advise(err, "Nothing was written, because another program changed one of the files. Repeat the call.")
			}
			return tools.Output{}, err
		}
	}
	return tools.Output{Text: proposed(done, apply), View: view}, nil
}

func proposed(done []box.Change, applied bool) string {
	var text strings.Builder
	head := "This would change %s. Nothing has been written yet; to make the changes, repeat the call with \"apply\": true.\n"
	if applied {
		head = "Changed %s.\n"
	}
	fmt.Fprintf(&text, head, messages.Counted(len(done), "file"))
	for _, one := range done {
		added, removed := edit.Size(one)
		fmt.Fprintf(&text, "%s (+%d -%d)\n", one.Name, added, removed)
	}
	if !applied {
		shown := edit.View(done)
		if shown.Kind == messages.Diff {
			short, _ := previewLimits.Cut(shown.Text)
			text.WriteString(short)
		}
	}
	return tools.Visible(text.String())
}

// previewLimits are the size limits of a preview for the model.
var previewLimits = tools.Limits{Bytes: 12 << 10, Lines: 200, LineBytes: 300, Tokens: 3000}
