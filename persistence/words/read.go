package words

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

// errNoText is why a file is no words: a picture that is called AGENTS.md.
var errNoText = errors.New("it is no text")

// barred is why a file that is there could not be opened.
type barred struct{ error }

// tree is a directory whose files are read: of a project by its root, out of which nothing
// leads, and of the user's own by its path, because people link their settings together.
type tree struct {
	place *place
	path  string // of it, for the user's own where place is nil, and else for what is told of it
}

func (t tree) open(name string, flags int) (*os.File, error) {
	flags |= os.O_RDONLY | syscall.O_NONBLOCK
	if t.place == nil {
		return os.OpenFile(filepath.Join(t.path, filepath.FromSlash(name)), flags, 0)
	}
	root, err := t.place.rooted()
	if err != nil {
		return nil, err
	}
	return root.OpenFile(name, flags, 0) // guard: a link leads nowhere else
}

// hasDirectory says whether there is a directory of one name. One that leads out counts as
// there: who reads it says so.
func (t tree) hasDirectory(name string) bool {
	if t.place != nil {
		if there, sure := t.place.dir.has(name); sure {
			return there
		}
	}
	info, err := t.stat(name)
	return err == nil && info.IsDir() || leadsOut(err)
}

func (t tree) stat(name string) (fs.FileInfo, error) {
	if t.place == nil {
		return os.Stat(filepath.Join(t.path, filepath.FromSlash(name)))
	}
	root, err := t.place.rooted()
	if err != nil {
		return nil, err
	}
	return root.Stat(name)
}

// below is a directory of a tree as a tree, where there is one; close it.
func (t tree) below(dir string) (tree, error) {
	if t.place == nil {
		return tree{path: filepath.Join(t.path, filepath.FromSlash(dir))}, nil
	}
	inner, err := t.place.below(dir)
	return tree{place: inner, path: t.at(dir)}, err
}

// at is where a name is.
func (t tree) at(name string) string { return filepath.Join(t.path, filepath.FromSlash(name)) }

func (t tree) close() {
	if t.place != nil {
		t.place.close()
	}
}

// directory opens one for its names; nil if there is none.
func (t tree) directory(name string) (*os.File, error) {
	if t.place != nil {
		if open := t.place.dir.directory(name); open != nil {
			return open, nil
		}
	}
	open, err := t.open(name, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENXIO) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info, err := open.Stat(); err != nil || !info.IsDir() {
		return nil, errors.Join(err, open.Close())
	}
	return open, nil
}

// leadsOut says whether stat failed because the way leads out of the tree, or is barred.
func leadsOut(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// read gives a regular file of a tree, at most limit bytes of it. One that is not there
// is "" without an error, and so is a directory in its place. A pipe is never waited for.
func read(from tree, name string, limit int64) (text string, cut int64, err error) {
	return new(unit).read(from, name, limit)
}

// read is [read], and notes what was there before it was read: what changes meanwhile is
// seen the next time.
func (u *unit) read(from tree, name string, limit int64) (text string, cut int64, err error) {
	now := seen{path: from.at(name)}
	defer func() { u.seen = append(u.seen, now) }()
	info, length, err := u.load(from, name, limit)
	now.info = info
	var closed barred
	switch {
	case errors.As(err, &closed):
		now = seenAt(now.path) // it is there, and cannot be read
		return "", 0, closed.error
	case err != nil || info == nil || info.IsDir():
		return "", 0, err
	}
	data := u.buffer[:min(int64(length), limit)]
	text = strings.TrimPrefix(string(data), "\ufeff")
	if strings.IndexByte(text, 0) >= 0 {
		return "", 0, fmt.Errorf("%s: %w", name, errNoText)
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "�")
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if cut = max(0, info.Size()-limit); cut > 0 {
		text = strings.TrimSuffix(text, "�")
	}
	return text, cut, nil
}

// load reads a regular file into the buffer. Nothing is nil, without an error.
func (u *unit) load(from tree, name string, limit int64) (info fs.FileInfo, length int, err error) {
	room := func(size int64) []byte {
		wanted := min(size, limit) + 1
		if int64(len(u.buffer)) < wanted {
			u.buffer = make([]byte, max(wanted, 4<<10))
		}
		return u.buffer[:wanted]
	}
	if from.place != nil {
		if info, length, sure := from.place.dir.read(name, room); sure {
			if info != nil {
				u.opened++
			}
			return info, length, nil
		}
	}
	file, err := from.open(name, 0)
	if err == nil {
		u.opened++
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, 0, nil
	case err != nil:
		return nil, 0, barred{err}
	}
	defer file.Close()
	info, err = file.Stat()
	switch {
	case err != nil || info.IsDir():
		return info, 0, err
	case !info.Mode().IsRegular():
		return info, 0, fmt.Errorf("%s is not a regular file (%s)", name, info.Mode().Type())
	}
	length, err = file.Read(room(info.Size())) // a regular file gives what it has at once
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return info, length, err
}

// namesBelow lists the files of a directory of a tree whose names end as wanted, sorted,
// and those of directories below it as deep as asked.
func (u *unit) namesBelow(from tree, dir string, ends []string, deep int) (names []string, err error) {
	u.look(from.at(dir))
	u.opened++
	entries, err := entriesOf(from, dir, mostRules*4)
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if entry.IsDir() {
			if deep > 0 {
				more, problem := u.namesBelow(from, name, ends, deep-1)
				names, err = append(names, more...), errors.Join(err, problem)
			}
			continue
		}
		for _, end := range ends {
			if strings.HasSuffix(entry.Name(), end) && !strings.HasPrefix(entry.Name(), ".") {
				names = append(names, name)
				break
			}
		}
	}
	return names[:min(len(names), mostRules)], err
}

// isFile says whether a path is a regular file now; who reads it looks again.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
