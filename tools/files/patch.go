package files

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/patch"
	"marvin/tools/internal/text"
)

//go:embed apply_patch.md
var patchDoc string

type patchArgs struct {
	Path string `json:"path" doc:"The file to edit, relative to the working directory" alias:"file_path,filename,file" example:"main.go"`
	Old  string `json:"old_str" doc:"The text to replace, exactly as in the file, found there once" alias:"old_string,old_text,search" example:"fmt.Println(\"hi\")"`
	New  string `json:"new_str" doc:"The text that takes its place; empty deletes" default:"" alias:"new_string,new_text,replace" example:"fmt.Println(\"hello\")"`
}

func patchTool() tools.Tool {
	return tools.New(tools.Def[patchArgs]{
		Name: "apply_patch", Brings: tools.Private,
		Effect: tools.Writes,
		Doc:    strings.TrimSpace(patchDoc),
		Examples: []string{
			"in {main.go|path} replace {foo|old_str} with {bar|new_str}",
			"change {8080|old_str} to {9090|new_str} in {config.yaml|path}",
			"delete {debug = true|old_str} from {settings.ini|path}",
		},
		Core: true, Coding: true, Access: tools.Exclusive, Places: patchPlaces,
		// A patch comes bare, inside of a code fence, as a shell command with a
		// here-document, or in a field of any name.
		Raw: func(body string) (patchArgs, bool) {
			return patchArgs{Old: body}, patch.Contains(body)
		},
		Run: applyPatch,
	})
}

// patchPlaces are the files that a patch names. One that does not say which is for all.
func patchPlaces(env tools.Env, in patchArgs) []tools.Place {
	body, ok := in.codex()
	if !ok {
		return []tools.Place{env.At(in.Path, true)}
	}
	sections, err := patch.Parse(body)
	if err != nil {
		return []tools.Place{env.At(".", true)}
	}
	var places []tools.Place
	for _, section := range sections {
		places = append(places, env.At(section.Path, true))
		if section.MoveTo != "" {
			places = append(places, env.At(section.MoveTo, true))
		}
	}
	return places
}

func applyPatch(ctx context.Context, env tools.Env, in patchArgs) (tools.Output, error) {
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	batch := edit.Begin(env, dir)
	var report func([]box.Change) string
	if body, ok := in.codex(); ok {
		report, err = prepareSections(batch, body)
	} else {
		report, err = prepareReplace(batch, in)
	}
	if err != nil {
		return tools.Output{}, err
	}
	changes, err := edit.Commit(ctx, env, batch)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: report(changes), View: edit.View(changes)}, nil
}

// codex is the patch in Codex format, if there is one: with a path, old_str must be
// one from its first line to its last, because a file may well contain its words.
func (in patchArgs) codex() (string, bool) {
	switch {
	case patch.Whole(in.Old) && in.New == "", in.Path == "" && patch.Contains(in.Old):
		return in.Old, true
	case in.Old == "" && patch.Contains(in.New):
		return in.New, true
	}
	return "", false
}

func prepareReplace(batch *box.Batch, in patchArgs) (func([]box.Change) string, error) {
	content, err := batch.Read(in.Path)
	if err != nil {
		return nil, err
	}
	if err := edit.CheckText(in.Path, content); err != nil {
		return nil, err
	}
	result, err := patch.Replace(content, in.Old, in.New)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Path, err)
	}
	return func(changes []box.Change) string {
		added, removed := edit.Size(changes[0])
		return fmt.Sprintf("Patched %s at line %d: +%d -%d, now %s.", in.Path, result.Line, added, removed, edit.Plural(text.Lines(result.Content), "line"))
	}, batch.Write(in.Path, result.Content)
}

// prepareSections puts a whole patch into the batch: every section is checked
// against what the ones before it leave.
func prepareSections(batch *box.Batch, body string) (func([]box.Change) string, error) {
	sections, err := patch.Parse(body)
	if err != nil {
		return nil, tools.Advise(err, "The form is:\n%s", patchForm)
	}
	var lines []string
	for i, section := range sections {
		line, err := prepareSection(batch, section)
		if err != nil {
			return nil, fmt.Errorf("nothing was changed: section %d of %d: %w", i+1, len(sections), err)
		}
		lines = append(lines, line)
	}
	return func(changes []box.Change) string {
		if len(changes) == 0 {
			return "The patch leaves all files as they were."
		}
		return strings.Join(lines, "\n")
	}, nil
}

const patchForm = `*** Begin Patch
*** Update File: path
@@ func name()
 a line of context
-a line to remove
+a line to add
*** Add File: other/path
+every line with a plus
*** End Patch`

// prepareSection puts one file into the batch and says what will have been done.
func prepareSection(batch *box.Batch, section patch.Section) (string, error) {
	switch section.Action {
	case patch.Add:
		return fmt.Sprintf("Added %s (%s)", section.Path, edit.Plural(text.Lines([]byte(section.Content)), "line")), add(batch, section)
	case patch.Delete:
		return "Deleted " + section.Path, batch.Remove(section.Path)
	}
	content, err := batch.Read(section.Path)
	if err != nil {
		return "", err
	}
	line := "Updated " + section.Path
	if len(section.Hunks) > 0 {
		if err := edit.CheckText(section.Path, content); err != nil {
			return "", err
		}
		result, err := patch.Apply(content, section.Hunks)
		if err != nil {
			return "", fmt.Errorf("%s: %w", section.Path, err)
		}
		if err := batch.Write(section.Path, result.Content); err != nil {
			return "", err
		}
		added, removed := edit.Size(box.Change{Name: section.Path, Before: content, After: result.Content})
		line += fmt.Sprintf(" at line %d: %s, +%d -%d, now %s", result.Line, edit.Plural(result.Hunks, "hunk"), added, removed, edit.Plural(text.Lines(result.Content), "line"))
	}
	if section.MoveTo == "" {
		return line, nil
	}
	if err := batch.Rename(section.Path, section.MoveTo); err != nil {
		return "", taken(err, section.MoveTo)
	}
	if len(section.Hunks) == 0 {
		return fmt.Sprintf("Moved %s to %s", section.Path, section.MoveTo), nil
	}
	return line + "; moved to " + section.MoveTo, nil
}

func add(batch *box.Batch, section patch.Section) error {
	return taken(batch.Create(section.Path, []byte(section.Content)), section.Path)
}

// taken explains that a name is not free.
func taken(err error, path string) error {
	if errors.Is(err, fs.ErrExist) {
		return tools.Advise(err, "To change it use *** Update File: %s; to replace it delete it first in the same patch.", path)
	}
	return err
}
