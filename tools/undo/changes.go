package undo

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/gitpatch"
)

// All edits that a conversation makes to a file form one change: the difference between the
// original content and the present content. Undone edits do not count.

// ChangedFile is a file that the conversation changed.
type ChangedFile struct {
	gitpatch.File
	Path    string // absolute
	Refused string // reason why the change cannot be undone, or ""
	Missing string // reason why the change is unknown; "" if the change is known
	outside bool   // the file is outside the conversation's directory
	hunks   []gitpatch.Hunk
	parts   []File // the files of a plan that undoes the whole change; a moved file has two entries
}

// Changes returns the files that a conversation changed. dir is the conversation's directory.
func Changes(journal *undolog.Journal, env tools.Env, dir string) ([]ChangedFile, error) {
	records, err := journal.Records()
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	holding := active(records)
	writes := slices.DeleteFunc(slices.Clone(holding), func(one undolog.Record) bool {
		return one.Kind != undolog.Write || isCall(one)
	})
	looker := &looker{journal: journal, env: env, dirs: map[string]*box.Dir{}, writes: lists.Map(writes, pathOf)}
	defer looker.close()
	below := belowTop(dir)
	var all []ChangedFile
	for _, chain := range chains(writes) {
		one := looker.combine(chain, holding, dir)
		if one.Below = below; one.Missing != "" || !one.Same() {
			all = append(all, one)
		}
	}
	all = joinMoved(all)
	slices.SortFunc(all, func(a, b ChangedFile) int { return strings.Compare(a.Name, b.Name) })
	for i := range all {
		if all[i].Missing == "" {
			all[i].hunks = all[i].Hunks()
		}
	}
	return all, nil
}

// belowTop returns the path of a directory relative to the top of its repository. It returns "" for
// the top itself, and for a directory outside any repository.
func belowTop(dir string) string {
	found := gitdir.Discover(dir)
	if found.Bare || found.Entry == "" {
		return ""
	}
	below, outside := relative(filepath.Dir(found.Entry), dir)
	if outside || below == "." {
		return ""
	}
	return below
}

// combine merges the records of one file into a single change.
func (l *looker) combine(chain, holding []undolog.Record, dir string) ChangedFile {
	first, last := chain[0], chain[len(chain)-1]
	for _, one := range holding { // an undo or a redo can be newer than the file's last write
		if one.Dir == last.Dir && one.Name == last.Name && one.ID > last.ID {
			last.After, last.AfterMode = one.After, one.AfterMode
		}
	}
	one := ChangedFile{Path: pathOf(first)}
	one.Name, one.outside = relative(dir, one.Path)
	one.Was = one.Name
	file := File{Path: last.Path, from: last, made: madeBy(chain)}
	if err := l.contents(&one, first, last); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		one.Missing = tools.Visible(why)
		return one
	}
	file.change = box.Change{Name: last.Name, Path: one.Path, Dir: last.Dir, Before: one.After, BeforeMode: one.AfterMode, After: one.Before}
	file.mode = one.BeforeMode
	one.parts = []File{file}
	return one
}

func madeBy(chain []undolog.Record) (made []string) {
	for _, one := range chain {
		made = append(made, one.Made...)
	}
	return made
}

// relative returns a file's path relative to dir, or the given path if the file is outside dir. The
// separators in the result are slashes.
func relative(dir, path string) (name string, outside bool) {
	name, err := filepath.Rel(dir, path)
	if err != nil || dir == "" || !filepath.IsLocal(name) {
		return filepath.ToSlash(path), true
	}
	return filepath.ToSlash(name), false
}

// contents fills in the original and current content of a file. If the file has changed since the
// last record, contents sets Refused.
func (l *looker) contents(one *ChangedFile, first, last undolog.Record) (err error) {
	if first.Before != "" {
		if first.Lost != "" {
			return errors.New(first.Lost)
		}
		if one.Before, err = l.journal.Content(first.Before); err != nil {
			return err
		}
		if one.Before == nil {
			one.Before = []byte{}
		}
	}
	one.BeforeMode = first.BeforeMode
	now, err := l.currentHash(one, last)
	if err != nil {
		return err
	}
	switch {
	case now == last.After:
	case now == "":
		one.Refused = "it was removed since"
	case last.After == "":
		one.Refused = "another file with that name has been created since"
	default:
		one.Refused = "it was changed since"
	}
	return nil
}

// currentHash reads the file's present content and mode. It returns the hash of the content, or ""
// if there is no file.
func (l *looker) currentHash(one *ChangedFile, last undolog.Record) (string, error) {
	dir, err := l.open(last.Dir)
	if errors.Is(err, errDirGone) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	name, info, err := dir.Locate(last.Name)
	switch {
	case err != nil:
		return "", err
	case name != last.Name:
		return "", errLinked
	case info == nil:
		return "", nil
	}
	content, err := dir.Batch().Read(last.Name)
	if err != nil {
		return "", err
	}
	one.After, one.AfterMode = append([]byte{}, content...), info.Mode().Perm()
	return undolog.Hash(content), nil
}

// joinMoved combines the removal and the creation of a moved file into one change.
func joinMoved(all []ChangedFile) (kept []ChangedFile) {
	changes := make([]box.Change, len(all))
	for i, one := range all {
		if one.Missing == "" {
			changes[i] = box.Change{Name: one.Name, Before: one.Before, After: one.After}
		} else {
			changes[i] = box.Change{Name: one.Name, Before: []byte{}, After: []byte{}}
		}
	}
	for i, was := range edit.FindMoved(changes) {
		switch one := all[i]; {
		case was < 0:
		case was == i:
			kept = append(kept, one)
		case one.outside != all[was].outside:
			// A patch cannot express a move into or out of the conversation's directory.
			kept = append(kept, all[was], one)
		default:
			gone := all[was]
			one.Was, one.Before, one.BeforeMode = gone.Name, gone.Before, gone.BeforeMode
			if one.Refused == "" {
				one.Refused = gone.Refused
			}
			one.parts = append(one.parts, gone.parts...)
			kept = append(kept, one)
		}
	}
	return kept
}

func (c *ChangedFile) contentID() string {
	return undolog.Hash([]byte(hash(c.Before) + hash(c.After)))[:16]
}

// Summary describes the changed files for front ends.
func Summary(journal *undolog.Journal, all []ChangedFile) messages.Changes {
	told := messages.Changes{Files: []messages.ChangedFile{}}
	if ran := commands(journal); ran > 0 && len(all) > 0 {
		told.Notes = []string{messages.Counted(ran, "command") + " also ran; \"git diff\" shows changes to files that git tracks."}
	}
	for _, one := range all {
		file := messages.ChangedFile{
			Path: one.Path, Name: one.Name, New: one.Before == nil && one.Missing == "", Deleted: one.After == nil && one.Missing == "",
			Missing: one.Missing, Refused: one.Refused,
		}
		if one.Was != one.Name {
			file.Was = one.Was
		}
		if one.Missing == "" {
			file.Patch, file.Seen = one.Patch(), one.contentID()
		}
		for _, hunk := range one.hunks {
			file.Hunks = append(file.Hunks, hunk.Text)
			file.Added += hunk.Added
			file.Removed += hunk.Removed
		}
		if one.Missing == "" && one.wholeAt() > 0 {
			file.Hunks = append(file.Hunks, one.describe())
		}
		told.Added += file.Added
		told.Removed += file.Removed
		told.Files = append(told.Files, file)
	}
	return told
}

// commands returns the number of run_command calls in the journal. The journal does not record
// which files a command changed.
func commands(journal *undolog.Journal) (ran int) {
	records, _ := journal.Records() // the error is ignored here, because [Changes] reports it
	for _, one := range records {
		if one.Kind == undolog.KindOther && one.Tool == "run_command" {
			ran++
		}
	}
	return ran
}

// describe explains changes that hunks cannot show: a move, a new mode, binary content or an empty
// file.
func (c *ChangedFile) describe() string {
	var parts []string
	if c.Was != c.Name {
		parts = append(parts, "moved from "+tools.Visible(c.Was))
	}
	if c.Binary() {
		parts = append(parts, fmt.Sprintf("not text: %d bytes before, %d bytes now", len(c.Before), len(c.After)))
	}
	if c.Before != nil && c.After != nil && c.BeforeMode != c.AfterMode {
		parts = append(parts, fmt.Sprintf("mode %04o before, %04o now", c.BeforeMode, c.AfterMode))
	}
	if len(parts) == 0 {
		parts = append(parts, "an empty file")
	}
	return strings.Join(parts, "; ")
}
