package undo

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/text"
)

// Request is the user's request to undo or redo.
type Request struct {
	Turn string // "" for the last turn that can be undone
	Path string // selects files by the last elements of the path, such as "dir/a.txt"; "" for all files
	Redo bool   // true for a redo, false for an undo
}

// Plan is a planned undo or redo.
type Plan struct {
	Turn   string
	Redo   bool
	Files  []File
	Calls  []*Call  // the calls to make, in this order, after the files are changed
	Others []string // the turn's calls that cannot be undone, with the reasons
	part   bool     // the plan undoes only a part of the turn's changes
}

// File is one file of a plan.
type File struct {
	Path    string // absolute
	Refused string // reason why the file is not changed; "" if it is changed
	Was     bool   // the file already has the wanted content and mode
	change  box.Change
	mode    fs.FileMode // new mode; 0 keeps the present one
	from    undolog.Record
	of      []int64
	made    []string
	failed  string
}

// Make returns the plan for a request, but does not apply the plan. If there is nothing to undo or
// redo, the error says why.
func Make(journal *undolog.Journal, env tools.Env, wish Request) (Plan, error) {
	records, err := journal.Records()
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Turn: wish.Turn, Redo: wish.Redo}
	holding := active(records)
	matching := slices.DeleteFunc(slices.Clone(holding), func(one undolog.Record) bool { return !wish.includes(one) })
	if plan.Turn == "" && len(matching) > 0 {
		plan.Turn = matching[len(matching)-1].Turn
	}
	for _, one := range records {
		if one.Kind == undolog.KindOther && one.Turn == plan.Turn && !wish.Redo {
			plan.Others = append(plan.Others, notUndoable(one))
		}
	}
	matching = slices.DeleteFunc(matching, func(one undolog.Record) bool {
		return one.Turn != plan.Turn || wish.Path != "" && !strings.HasSuffix("/"+one.Path, "/"+strings.TrimPrefix(filepath.ToSlash(wish.Path), "/"))
	})
	if len(matching) == 0 {
		return plan, wish.nothingError(plan)
	}
	plan.Calls = callsOf(matching)
	matching = slices.DeleteFunc(matching, isCall)
	looker := &looker{journal: journal, env: env, dirs: map[string]*box.Dir{}, writes: lists.Map(matching, pathOf)}
	defer looker.close()
	for _, chain := range chains(matching) {
		plan.Files = append(plan.Files, looker.look(chain, holding))
	}
	return plan, nil
}

// includes returns true if the kind of a record fits the request. The caller checks the record's
// turn and path.
func (w Request) includes(one undolog.Record) bool {
	if w.Redo {
		return one.Kind == undolog.KindUndo || one.Kind == undolog.Write && one.Tool == partTool
	}
	return one.Kind == undolog.Write || one.Kind == undolog.Call
}

func (w Request) nothingError(plan Plan) error {
	what, why := "There is nothing to undo", "no tool made a change that can be undone"
	if w.Redo {
		what, why = "There is nothing to redo", "nothing was undone"
	}
	if w.Turn != "" {
		what += " in turn " + tools.Visible(w.Turn)
	}
	if w.Path != "" {
		what += " in " + tools.Visible(w.Path)
	}
	return fmt.Errorf("%s: %s%s", what, why, plan.rest())
}

func (p Plan) rest() string {
	if len(p.Others) == 0 {
		return "."
	}
	return ".\nNot undone:\n  " + strings.Join(p.Others, "\n  ")
}

// active returns the records that no later active record undoes, oldest first.
func active(records []undolog.Record) (holding []undolog.Record) {
	taken := map[int64]bool{}
	for _, one := range slices.Backward(records) {
		if taken[one.ID] {
			continue
		}
		for _, id := range one.Of {
			taken[id] = true
		}
		holding = append(holding, one)
	}
	slices.Reverse(holding)
	return holding
}

// chains groups the records by file. The records of each file remain in order.
func chains(records []undolog.Record) (all [][]undolog.Record) {
	at := map[[2]string]int{}
	for _, one := range records {
		key := [2]string{one.Dir, one.Name}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key], all = i, append(all, nil)
		}
		all[i] = append(all[i], one)
	}
	return all
}

// Title returns the plan as a question in one line.
func (p Plan) Title() string {
	verb := "Undo"
	if p.Redo {
		verb = "Redo"
	}
	files, calls := p.countOpen()
	return fmt.Sprintf("%s %s in turn %s?", verb, amount(files, calls, "file change"), tools.Visible(p.Turn))
}

// amount returns a phrase such as "2 files and 1 call". fileNoun is the noun used for files, such
// as "file change".
func amount(files, calls int, fileNoun string) string {
	switch {
	case calls == 0:
		return messages.Counted(files, fileNoun)
	case files == 0:
		return messages.Counted(calls, "call")
	}
	return messages.Counted(files, fileNoun) + " and " + messages.Counted(calls, "call")
}

// countOpen counts the files that would change and the calls that would be made.
func (p Plan) countOpen() (files, calls int) {
	for _, file := range p.Files {
		if file.Refused == "" && !file.Was {
			files++
		}
	}
	for _, call := range p.Calls {
		if call.Refused == "" {
			calls++
		}
	}
	return files, calls
}

// Empty reports whether the plan changes nothing.
func (p Plan) Empty() bool {
	files, calls := p.countOpen()
	return files+calls == 0
}

// Detail says what happens to each file and each call, and lists the calls that cannot be undone.
func (p Plan) Detail() string {
	var out strings.Builder
	for _, file := range p.Files {
		fmt.Fprintf(&out, "%s: %s\n", tools.Visible(file.Path), file.describe())
	}
	for _, call := range p.Calls {
		fmt.Fprintf(&out, "%s: %s\n", tools.Visible(call.Title), call.describe())
	}
	if len(p.Others) > 0 {
		out.WriteString(strings.TrimPrefix(p.rest(), ".\n") + "\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func (f File) describe() string {
	switch {
	case f.Refused != "":
		return "stays as it is: " + f.Refused
	case f.Was:
		return "is already as it was before"
	case f.change.Before == nil:
		return "will be restored"
	case f.change.After == nil:
		return "will be deleted"
	}
	added, removed := edit.Size(f.change)
	return fmt.Sprintf("will change, +%d -%d", added, removed)
}

// Diff shows the planned changes.
func (p Plan) Diff() *messages.View {
	var changes []box.Change
	for _, file := range p.Files {
		if file.Refused == "" && !file.Was {
			changes = append(changes, prepareDiff(file.change))
		}
	}
	return edit.View(changes)
}

// prepareDiff replaces non-text content with one line about the kind and size of the content.
func prepareDiff(change box.Change) box.Change {
	for _, content := range []*[]byte{&change.Before, &change.After} {
		if kind := text.Foreign(*content); kind != "" {
			*content = fmt.Appendf(nil, "(%s, %d bytes)\n", kind, len(*content))
		}
	}
	return change
}
