package undo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/internal/box"
)

// Apply changes the plan's files, one after the other. It skips a file that has changed since the
// plan was made. Apply does not run p.Calls; see [Plan.RecordDone]. Afterwards, the conversation
// treats the changed files as unread. If the journal cannot be written, the user can repeat the
// request, because a new plan starts from the present state of the files.
func (p *Plan) Apply(ctx context.Context, journal *undolog.Journal, env tools.Env) error {
	looker := &looker{journal: journal, env: env, dirs: map[string]*box.Dir{}}
	defer looker.close()
	for _, file := range p.Files {
		looker.writes = append(looker.writes, pathOf(file.from))
	}
	for i := range p.Files {
		file := &p.Files[i]
		if file.Refused != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := looker.apply(ctx, file, p.kind()); err != nil {
			return err
		}
		if env.Languages != nil && file.failed == "" && !file.Was {
			env.Languages.ReportChanges([]tools.FileChange{{Dir: file.from.Dir, Name: file.from.Name, Path: file.from.Path, After: file.change.After}})
		}
		env.Seen.Forget(file.from.Path)
		env.Seen.Forget(pathOf(file.from))
	}
	looker.prune(p.Files)
	return nil
}

func (p *Plan) kind() string {
	switch {
	case p.Redo:
		return undolog.KindRedo
	case p.part:
		return undolog.Write
	}
	return undolog.KindUndo
}

// apply executes a change in three steps: it saves the file's present content, changes the file,
// and then records the change. If Marvin crashes after the second step, the next attempt only
// records the change.
func (l *looker) apply(ctx context.Context, file *File, kind string) error {
	record := undolog.Record{
		Kind: kind, Of: file.of, Turn: file.from.Turn, Dir: file.from.Dir, Name: file.from.Name, Path: file.from.Path,
		BeforeMode: file.change.BeforeMode,
	}
	if kind == undolog.Write {
		record.Tool, record.Of = partTool, nil
	}
	if file.Was {
		// The file already has the wanted content. Only record the change from the last recorded
		// content to the present content.
		record.Before, record.BeforeMode = file.from.After, file.from.AfterMode
		record.After, record.AfterMode = hash(file.change.Before), file.change.BeforeMode
		return l.journal.Add([]undolog.Record{record}, [][]byte{nil})
	}
	if err := l.journal.Store(file.change.Before); err != nil {
		file.failed = "its content could not be backed up: " + err.Error()
		return nil
	}
	if err := l.write(ctx, file); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		file.failed = tools.Visible(why)
		return nil
	}
	if file.change.After != nil {
		record.After, record.AfterMode = hash(file.change.After), cmp.Or(file.mode, file.change.BeforeMode)
	}
	return l.journal.Add([]undolog.Record{record}, [][]byte{file.change.Before})
}

func hash(content []byte) string {
	if content == nil {
		return ""
	}
	return undolog.Hash(content)
}

func (l *looker) write(ctx context.Context, file *File) error {
	dir, err := l.open(file.from.Dir)
	if err != nil {
		return err
	}
	name, batch := file.from.Name, dir.Batch()
	batch.Loaded = func(_ string, content []byte) error {
		if hash(content) != hash(file.change.Before) {
			return box.ErrChanged
		}
		return nil
	}
	switch {
	case file.change.Before == nil:
		err = batch.Create(name, file.change.After)
	case file.change.After == nil:
		err = batch.Remove(name)
	default:
		err = batch.Write(name, file.change.After)
	}
	if err == nil && file.change.After != nil && file.mode != 0 {
		err = batch.SetMode(name, file.mode)
	}
	if err != nil {
		return err
	}
	for _, change := range batch.Changes() {
		if change.Name != name {
			return fmt.Errorf("%w: it is now a symbolic link", box.ErrChanged)
		}
	}
	return batch.Commit(ctx)
}

// prune removes the directories that were made for the files, innermost first. It keeps directories
// that are not empty.
func (l *looker) prune(files []File) {
	type made struct{ dir, name string }
	var all []made
	for _, file := range files {
		for _, name := range file.made {
			all = append(all, made{file.from.Dir, name})
		}
	}
	slices.SortFunc(all, func(a, b made) int { return cmp.Compare(len(b.name), len(a.name)) })
	for _, one := range all {
		if dir, err := l.open(one.dir); err == nil {
			dir.Prune(one.name)
		}
	}
}

// Report returns a summary of what was undone or redone, and of what was not.
func (p *Plan) Report() string {
	if p.part {
		return p.partReport()
	}
	done, called, stayed := 0, 0, []string{}
	for _, file := range p.Files {
		switch {
		case file.Refused != "":
			stayed = append(stayed, tools.Visible(file.Path)+": "+file.Refused)
		case file.failed != "":
			stayed = append(stayed, tools.Visible(file.Path)+": "+file.failed)
		default:
			done++
		}
	}
	files := len(stayed)
	for _, call := range p.Calls {
		switch {
		case call.done:
			called++
		default:
			stayed = append(stayed, tools.Visible(call.Title)+": "+cmp.Or(call.Refused, call.failed, "it was not attempted"))
		}
	}
	verb := "Undone"
	if p.Redo {
		verb = "Redone"
	}
	text := fmt.Sprintf("%s: %s in turn %s", verb, amount(done, called, "file change"), tools.Visible(p.Turn))
	if done+called == 0 {
		text = fmt.Sprintf("%s: nothing in turn %s", verb, tools.Visible(p.Turn))
	}
	if len(stayed) > 0 {
		stay := "stay as they are"
		if len(stayed) == 1 {
			stay = "stays as it is"
		}
		text += fmt.Sprintf("; %s %s:\n  %s", amount(files, len(stayed)-files, "file"), stay, strings.Join(stayed, "\n  "))
		if len(p.Others) > 0 {
			text += "\n" + strings.TrimPrefix(p.rest(), ".\n")
		}
		return text
	}
	return text + p.rest()
}

// Changed returns the absolute paths of the changed files. Symbolic links are not resolved.
func (p *Plan) Changed() []string { return p.changedWhere(func(File) bool { return true }) }

// Removed returns the files of [Plan.Changed] that no longer exist.
func (p *Plan) Removed() []string {
	return p.changedWhere(func(file File) bool { return file.change.After == nil })
}

// Existing returns the files of [Plan.Changed] that still exist.
func (p *Plan) Existing() []string {
	return p.changedWhere(func(file File) bool { return file.change.After != nil })
}

func (p *Plan) changedWhere(which func(File) bool) (paths []string) {
	for _, file := range p.Files {
		if file.Refused == "" && file.failed == "" && !file.Was && which(file) {
			paths = append(paths, file.Path)
		}
	}
	return paths
}
