package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/page"
	"marvin/tools/internal/patch"
	"marvin/tools/internal/text"
)

type linesArgs struct {
	Path  string `json:"path" doc:"File in ~/Notes" alias:"filename,name" example:"ideas.md"`
	Start int    `json:"start" doc:"First line, counted from 1" default:"1" min:"1" alias:"start_line"`
	End   int    `json:"end" doc:"Last line (inclusive); 0 is the end of the file" default:"0" min:"0" alias:"end_line"`
}

func readLinesTool() tools.Tool {
	return tools.New(tools.Def[linesArgs]{
		Name: "file_read_lines", Brings: tools.Private, Pages: true,
		Doc:      "Read lines of a file in ~/Notes, with line numbers for file_apply_patch. Works only in ~/Notes, even in coding mode.",
		Examples: []string{"show lines {1|start} to {20|end} of my note {ideas.md|path}", "number the lines of the note {ideas.md|path}"},
		Run:      readLines,
	})
}

func readLines(ctx context.Context, env tools.Env, in linesArgs) (tools.Output, error) {
	dir, err := openForReading(env)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := dir.note(in.Path)
	content, err := dir.load(env, name)
	if err != nil {
		return tools.Output{}, err
	}
	total := text.CountLines(content)
	if total == 0 {
		return tools.Output{Text: dir.show(name) + ": 0 lines"}, nil
	}
	if in.End > 0 && in.End < in.Start {
		return tools.Output{}, tools.Advise(fmt.Errorf("end %d is before start %d", in.End, in.Start), "Swap them; \"end\": 0 means the end of the file.")
	}
	if in.Start > total {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s has only %s", dir.show(name), messages.Counted(total, "line")), "Give a smaller start.")
	}
	shown, err := page.Read(ctx, strings.NewReader(string(content)), page.Request{First: in.Start, Last: in.End, Row: row, Room: env.Room})
	if err != nil {
		return tools.Output{}, err
	}
	out := fmt.Sprintf("%s: %s, %d to %d shown\n%s", dir.show(name), messages.Counted(total, "line"), shown.First, shown.Last, shown.Text)
	if shown.Cut {
		out += fmt.Sprintf("[the rest does not fit here; continue with \"start\": %d]\n", shown.Last+1)
	}
	return tools.Output{Text: out}, nil
}

func row(number int, line string) string { return fmt.Sprintf("%5d | %s", number, line) }

type patchArgs struct {
	Path   string `json:"path" doc:"Existing file in ~/Notes" alias:"filename,name" example:"ideas.md"`
	Patch  string `json:"patch" doc:"Unified hunks (@@ -3,1 +3,2 @@) or blocks: REPLACE n [m] or INSERT n, then the text; or DELETE n [count]. INSERT adds after line n; 0 is the start. Separate blocks with a --- line. All line numbers refer to the file before the change" alias:"patches,diff" example:"REPLACE 3\nnew third line"`
	DryRun bool   `json:"dry_run" doc:"Only show what would change" default:"false"`
}

func patchTool() tools.Tool {
	return tools.New(tools.Def[patchArgs]{
		Name: "file_apply_patch", Brings: tools.Private,
		Effect: tools.Writes,
		Doc: "Change lines of a file in ~/Notes with a unified diff, or with REPLACE, INSERT and DELETE blocks. file_read_lines shows the line numbers. " +
			"If the context does not match, nothing changes. Works only in ~/Notes, even in coding mode.",
		Examples: []string{"in my note {ideas.md|path} apply {REPLACE 3|patch}", "delete line 2 of the note {ideas.md|path} with {DELETE 2|patch}"},
		Run:      applyPatch,
	})
}

func applyPatch(ctx context.Context, env tools.Env, in patchArgs) (tools.Output, error) {
	dir, err := openForReading(env)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := dir.note(in.Path)
	batch := edit.Begin(env, dir.Dir)
	content, err := batch.Read(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return tools.Output{}, tools.Advise(err, "The file must exist; write_note makes a new one.")
		}
		return tools.Output{}, err
	}
	if err := edit.CheckText(dir.show(name), content); err != nil {
		return tools.Output{}, err
	}
	result, edits, err := patch.Lines(content, in.Patch)
	if err != nil {
		return tools.Output{}, fmt.Errorf("%s: nothing was changed: %w", dir.show(name), err)
	}
	if err := batch.Write(name, result.Content); err != nil {
		return tools.Output{}, err
	}
	changes := batch.Changes()
	if len(changes) == 0 {
		return tools.Output{Text: dir.show(name) + " is the same after the patch; nothing was changed."}, nil
	}
	if in.DryRun {
		return tools.Output{Text: fmt.Sprintf("Dry run: nothing was written. %s would change:\n%s", dir.show(name), edit.Diff(changes[0])), View: edit.View(changes)}, nil
	}
	if _, err := edit.Commit(ctx, env, batch); err != nil {
		return tools.Output{}, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Patched %s, which now has %s:\n", dir.show(name), messages.Counted(text.CountLines(result.Content), "line"))
	for _, one := range edits {
		fmt.Fprintf(&out, "  %s: -%d +%d at line %d\n", one.Says, one.Count, len(one.New), one.First)
	}
	return tools.Output{Text: out.String(), View: edit.View(changes)}, nil
}
