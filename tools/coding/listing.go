package coding

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"

	"marvin/tools/internal/box"
)

// errEnough stops a program or a walk when enough results have been found.
var errEnough = errors.New("enough")

// splitter is a writer that splits its input at a separator. It passes each piece to a callback,
// until the callback returns false.
type splitter struct {
	separator byte
	each      func([]byte) (more bool)
	rest      []byte
}

func (s *splitter) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	for {
		end := bytes.IndexByte(s.rest, s.separator)
		if end < 0 {
			return len(p), nil
		}
		more := s.each(s.rest[:end])
		s.rest = s.rest[end+1:]
		if !more {
			return 0, errEnough
		}
	}
}

// walk invokes visit for everything below start, in order, without following links. If visit
// returns fs.SkipDir, walk skips that directory. If visit returns errEnough, or if ctx ends, walk
// stops. Any other error skips only the rest of the directory in which it occurs.
func walk(ctx context.Context, dir *box.Dir, start string, visit func(name string, entry fs.DirEntry) error) error {
	entries, err := dir.List(start)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name := path.Join(start, entry.Name())
		err := visit(name, entry)
		if err != nil && !errors.Is(err, fs.SkipDir) {
			return err
		}
		if err != nil || !entry.IsDir() {
			continue
		}
		if err := walk(ctx, dir, name, visit); errors.Is(err, errEnough) || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// skipped returns true if [box.Skip] is true for any directory between the start directory and the
// file.
func skipped(start, name string) bool {
	for dir := path.Dir(name); dir != "." && dir != start && dir != "/"; dir = path.Dir(dir) {
		if box.Skip(path.Base(dir)) {
			return true
		}
	}
	return false
}
