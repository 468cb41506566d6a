package files

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/patch"
)

//go:embed apply_patch.md
var patchDoc string

//go:embed apply_patch_outline.md
var patchOutline string

type patchArgs struct {
	Path  string        `json:"path,omitempty" doc:"The file" sent:"" alias:"file_path,filename,file,filepath" example:"main.go"`
	Old   string        `json:"old_str,omitempty" doc:"The text to replace; must occur only once" sent:"" alias:"old_string,old_text,oldtext,search" example:"fmt.Println(\"hi\")"`
	New   string        `json:"new_str,omitempty" doc:"The replacement; if empty, deletes old_str" sent:"Empty deletes old_str" alias:"new_string,new_text,newtext,replace" example:"fmt.Println(\"hello\")"`
	All   bool          `json:"replace_all,omitempty" doc:"Replace all occurrences" sent:"" alias:"replaceall,all"`
	Edits []replacement `json:"edits,omitempty" doc:"Several replacements in order; \"path\" names the file" sent:"" alias:"replacements,changes"`
	Patch string        `json:"patch,omitempty" doc:"A whole patch, as the only parameter" sent:"" alias:"input,diff,patch_text,patches,__raw_patch"`
}

type replacement struct {
	Old string `json:"old_str" doc:"As above" sent:""`
	New string `json:"new_str,omitempty" doc:"As above" sent:""`
}

func patchTool() tools.Tool {
	return tools.WithPreview(tools.Titled(tools.WithOutline(strings.TrimSpace(patchOutline), tools.New(tools.Def[patchArgs]{
		Name: "apply_patch", Brings: tools.Private,
		Effect: tools.Writes,
		Doc:    strings.TrimSpace(patchDoc),
		Examples: []string{
			"in {main.go|path} replace {foo|old_str} with {bar|new_str}",
			"change {8080|old_str} to {9090|new_str} in {config.yaml|path}",
			"delete {debug = true|old_str} from {settings.ini|path}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Exclusive, Places: patchPlaces,
		Fold: foldEdits,
		// Some models send a bare patch instead of JSON, or put the patch into a code fence or a
		// shell here-document.
		Raw: func(body string) (patchArgs, bool) {
			return patchArgs{Patch: body}, patch.Contains(body)
		},
		Run: applyPatch,
	})), patchTitle), previewDiff)
}

// patchTitle returns the names of the files that a patch changes. The first line of a patch would
// be a poor title.
func patchTitle(in patchArgs) string {
	if _, whole := in.codexPatch(); !whole && in.Patch == "" {
		return ""
	}
	sections, err := in.sections()
	if err != nil {
		return ""
	}
	var names []string
	for _, section := range sections {
		name := section.Path
		if section.MoveTo != "" {
			name += " → " + section.MoveTo
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// foldEdits converts a single edit to a list. It renames fields that other agents use, such as
// "old_string".
func foldEdits(arguments map[string]any) {
	if one, ok := arguments["edits"].(map[string]any); ok {
		arguments["edits"] = []any{one}
	}
	list, _ := arguments["edits"].([]any)
	for _, item := range list {
		edit, _ := item.(map[string]any)
		for other, name := range map[string]string{
			"old_string": "old_str", "old_text": "old_str", "oldText": "old_str", "search": "old_str",
			"new_string": "new_str", "new_text": "new_str", "newText": "new_str", "replace": "new_str",
		} {
			if text, ok := edit[other].(string); ok {
				edit[name] = text
				delete(edit, other)
			}
		}
	}
}

// patchPlaces returns the files that a patch names, or the whole directory if the patch is
// unreadable.
func patchPlaces(env tools.Env, in patchArgs) []tools.Place {
	sections, err := in.sections()
	if err != nil {
		return []tools.Place{env.PlaceAt(".", true)}
	}
	var places []tools.Place
	for _, section := range sections {
		places = append(places, env.PlaceAt(section.Path, true))
		if section.MoveTo != "" {
			places = append(places, env.PlaceAt(section.MoveTo, true))
		}
	}
	return places
}

// codexPatch finds a Codex patch in old_str or new_str. In a call with a path, old_str must contain
// only the patch, because a longer old_str could be text from the file.
func (in patchArgs) codexPatch() (string, bool) {
	switch {
	case patch.IsPatch(in.Old) && in.New == "", in.Path == "" && patch.Contains(in.Old):
		return in.Old, true
	case in.Old == "" && patch.Contains(in.New):
		return in.New, true
	}
	return "", false
}

// sections returns the changes that a call requests. The call contains either a whole patch or
// replacements in one file.
func (in patchArgs) sections() ([]patch.Section, error) {
	body, whole := in.codexPatch()
	if in.Patch != "" && !whole && in.Old == "" && len(in.Edits) == 0 {
		body, whole = in.Patch, true
	}
	if whole {
		sections, err := patch.Read(body, in.Path)
		if err != nil {
			return nil, tools.Advise(err, "The form is:\n%s", patchForm)
		}
		return sections, nil
	}
	var edits []patch.Replacement
	if in.Old != "" || in.New != "" {
		edits = append(edits, patch.Replacement{Old: in.Old, New: in.New, All: in.All})
	}
	for _, one := range in.Edits {
		edits = append(edits, patch.Replacement{Old: one.Old, New: one.New, All: in.All})
	}
	switch {
	case in.Patch != "":
		return nil, tools.Advise(errors.New("nothing was changed, because the call has both a patch and texts to replace, and their order is not clear"), "Give only one of the two.")
	case in.Path == "" || len(edits) == 0:
		return nil, tools.Advise(errors.New("the call does not say what to change; give \"path\" and \"old_str\" (or \"edits\"), or a patch"),
			`Give {"path", "old_str", "new_str"}, {"path", "edits": [{"old_str", "new_str"}]}, or {"patch": "..."}.`)
	}
	return []patch.Section{{Action: patch.Update, Path: in.Path, Edits: edits}}, nil
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

func applyPatch(ctx context.Context, env tools.Env, in patchArgs) (tools.Output, error) {
	sections, err := in.sections()
	if err != nil {
		return tools.Output{}, err
	}
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	var work *patchWork
	var changes []box.Change
	var refused error
	err = edit.Retry(ctx, func() (err error) { // a file may change while the patch is prepared
		work = &patchWork{env: env, dir: dir}
		work.batch, work.stale = edit.BeginMerge(env, dir)
		if refused = work.prepare(sections); refused != nil {
			return nil
		}
		changes, err = edit.Commit(ctx, env, work.batch)
		return err
	})
	if err = errors.Join(refused, err); err != nil {
		if len(*work.stale) > 0 || errors.Is(err, box.ErrChanged) {
			return tools.Output{}, tools.Advise(err, "The file changed since it was read: read it again with read_file, then repeat the edit on the new content.")
		}
		return tools.Output{}, err
	}
	return tools.Output{Text: work.report(changes) + edit.Linked(changes), View: edit.View(changes)}, nil
}

// report describes the changes, one line per file.
func (p *patchWork) report(changes []box.Change) string {
	if len(changes) == 0 {
		return "The patch changes no file."
	}
	for _, path := range *p.stale {
		p.lines = append(p.lines, p.dir.Local(path)+" changed since it was read; the edit was merged into the new content. Read the file again before you rely on the rest of it.")
	}
	return strings.Join(p.lines, "\n")
}

// previewDiff returns a diff of the call's changes, or "" if the call will fail.
func previewDiff(env tools.Env, in patchArgs) string {
	sections, err := in.sections()
	if err != nil {
		return ""
	}
	dir, err := env.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = dir.Close() }()
	work := &patchWork{env: env, dir: dir}
	work.batch, work.stale = edit.BeginMerge(env, dir)
	if work.prepare(sections) != nil { // the tool call itself will return this error
		return ""
	}
	return edit.Diffs(work.batch.Changes())
}
