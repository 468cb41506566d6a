package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/internal/box"
)

var (
	errDirGone = errors.New("its directory is gone")
	errLinked  = errors.New("its path, or a part of the path, is now a symbolic link")
)

// looker compares the present content of files with their last recorded content.
type looker struct {
	journal *undolog.Journal
	env     tools.Env
	dirs    map[string]*box.Dir
	writes  []string // the files that an earlier call was allowed to write
}

func pathOf(record undolog.Record) string {
	return filepath.Join(record.Dir, filepath.FromSlash(record.Name))
}

func (l *looker) close() {
	for _, dir := range l.dirs {
		_ = dir.Close()
	}
}

// open opens a directory in which tools wrote files. It returns errDirGone if the directory no
// longer exists, and another error if the path now contains a symbolic link.
func (l *looker) open(path string) (*box.Dir, error) {
	if dir := l.dirs[path]; dir != nil {
		return dir, nil
	}
	env := l.env
	env.Dir, env.Root, env.Writes = path, "", l.writes
	dir, err := env.Open()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errDirGone
	case err != nil:
		return nil, err
	case dir.Real() != path:
		_ = dir.Close()
		return nil, errors.New("its directory is now a symbolic link")
	}
	l.dirs[path] = dir
	return dir, nil
}

// look returns a File with the planned undo or redo. The arguments are the file's matching records
// and the active records of all files.
func (l *looker) look(chain, holding []undolog.Record) File {
	last := chain[len(chain)-1]
	first, of := last, []int64{last.ID}
	made := last.Made
	for i := len(chain) - 2; i >= 0 && chain[i].After == first.Before; i-- {
		first, of, made = chain[i], append(of, chain[i].ID), append(made, chain[i].Made...)
	}
	file := File{Path: last.Path, from: last, of: of, made: made}
	if first.BeforeMode != last.AfterMode { // the mode is restored only if tools changed it
		file.mode = first.BeforeMode
	}
	if err := l.compare(&file, first, last); err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		file.Refused = tools.Visible(why)
		for _, later := range holding {
			if later.ID > last.ID && later.Dir == last.Dir && later.Name == last.Name && later.Kind == undolog.Write && last.Kind == later.Kind {
				file.Refused = fmt.Sprintf("turn %s changed the file later; undo that turn first", tools.Visible(later.Turn))
			}
		}
	}
	return file
}

// compare determines the change that restores the original content of the file. It returns an error
// if the file has changed since the last record.
func (l *looker) compare(file *File, first, last undolog.Record) error {
	dir, err := l.open(last.Dir)
	if err != nil {
		return err
	}
	name, info, err := dir.Locate(last.Name)
	switch {
	case err != nil:
		return err
	case name != last.Name:
		return errLinked
	}
	file.change = box.Change{Name: last.Name, Path: dir.Abs(last.Name), Dir: last.Dir}
	now := ""
	if info != nil {
		content, err := dir.Batch().Read(last.Name)
		if err != nil {
			return err
		}
		now = undolog.Hash(content)
		file.change.Before, file.change.BeforeMode = content, info.Mode().Perm()
	}
	if now == first.Before && (info == nil || file.mode == 0 || info.Mode().Perm() == file.mode) {
		file.Was = true
		return nil
	}
	switch {
	case now == last.After:
	case now == "":
		return errors.New("it was removed since")
	case now == first.Before: // only the mode of the file differs
	case last.After == "":
		return errors.New("another file with that name has been created since")
	default:
		return errors.New("it was changed since")
	}
	if first.Before == "" {
		return nil
	}
	if first.Lost != "" {
		return errors.New(first.Lost)
	}
	if file.change.After, err = l.journal.Content(first.Before); err != nil {
		return err
	}
	if file.change.After == nil {
		file.change.After = []byte{}
	}
	return nil
}
