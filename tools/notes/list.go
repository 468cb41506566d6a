package notes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marvin/messages"
	"marvin/tools"
)

const listLimit = 500

type listArgs struct {
	Path string `json:"path" doc:"Directory below ~/Notes; default: all" default:"" alias:"dirname,name" example:"recipes"`
}

func listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name: "notes_ls", Chat: true, Brings: tools.Private,
		Doc:      "List notes and their directories, with sizes.",
		Examples: []string{"list my notes", "what notes do I have", "what notes do I have in {recipes|path}"},
		Run:      list,
	})
}

func list(_ context.Context, env tools.Env, in listArgs) (tools.Output, error) {
	all, err := openAll(env, in.Path, false)
	name := cmp.Or(clean(in.Path), ".")
	if errors.Is(err, fs.ErrNotExist) && name == "." {
		return tools.Output{Text: "There are no notes yet. write_note makes the first one."}, nil
	}
	if err != nil {
		return tools.Output{}, err
	}
	var text string
	var failed error
	for _, dir := range all {
		listed, err := dir.list(name)
		_ = dir.Close()
		if err == nil {
			text += listed
		} else if failed == nil {
			failed = err
		}
	}
	if text == "" {
		return tools.Output{}, failed
	}
	return tools.Output{Text: strings.TrimSuffix(text, "\n") + ending(text)}, nil
}

// ending chooses the end of the output: "\n" after a list of entries, and "" after a sentence such
// as "~/Notes is empty.".
func ending(text string) string {
	if strings.HasSuffix(text, " is empty.\n") {
		return ""
	}
	return "\n"
}

// list describes the entries of a directory, one per line below the directory's name.
func (p place) list(name string) (string, error) {
	dir := p
	entries, err := dir.List(name)
	if err != nil {
		return "", err
	}
	where := dir.name
	if name != "." {
		where = dir.show(strings.TrimSuffix(name, "/"))
	}
	if len(entries) == 0 {
		return where + " is empty.\n", nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s:\n", where)
	for i, entry := range entries {
		if i == listLimit {
			fmt.Fprintf(&out, "… %d more\n", len(entries)-i)
			break
		}
		out.WriteString("  " + describe(entry) + "\n")
	}
	return out.String(), nil
}

func describe(entry fs.DirEntry) string {
	name := tools.Visible(entry.Name())
	switch {
	case entry.IsDir():
		return name + "/"
	case entry.Type().IsRegular():
		if info, err := entry.Info(); err == nil {
			return fmt.Sprintf("%s (%s)", name, messages.Counted(int(info.Size()), "byte"))
		}
	case entry.Type()&fs.ModeSymlink != 0:
		return name + " (link)"
	}
	return name
}
