package coding

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/gitcmd"
)

// errEnough ends a program or a walk that could say more than is wanted.
var errEnough = errors.New("enough")

// splitter is a writer that hands over what stands before each separator, until
// its reader has enough.
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

// gitFiles lists the files below start that git tracks or would, relative to the
// working directory and sorted. ok is false where there is no repository to ask.
func gitFiles(ctx context.Context, env tools.Env, start string) (files []string, ok bool, err error) {
	repository, err := gitcmd.Open(ctx, env, env.Dir)
	if err != nil || repository.Top == "" {
		return nil, false, context.Cause(ctx) // else: no repository, no git, or one that is not to be trusted
	}
	list := func(which ...string) (names []string, err error) {
		writer := &splitter{separator: 0, each: func(name []byte) bool {
			names = append(names, string(name))
			return true
		}}
		args := append([]string{"ls-files", "-z", "--exclude-standard"}, which...)
		err = repository.Stream(ctx, writer, append(append(args, "--"), gitcmd.Literal(start)...)...)
		return names, err
	}
	if files, err = list("--cached", "--others"); err != nil {
		return nil, false, err
	}
	deleted, err := list("--deleted")
	if err != nil {
		return nil, false, err
	}
	slices.Sort(files) // git sorts each of the two kinds; what is gone is of one
	files = slices.DeleteFunc(slices.Compact(files), func(name string) bool {
		_, gone := slices.BinarySearch(deleted, name)
		return gone
	})
	return files, true, nil
}

// walk visits everything below start in order, without following links. As with
// fs.WalkDir, visit returns fs.SkipDir to keep out of a directory; any other error
// ends the walk. A directory that cannot be read is passed over, but not start.
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

// skipped reports whether a listing leaves a path out for one of its directories
// below start.
func skipped(start, name string) bool {
	for dir := path.Dir(name); dir != "." && dir != start && dir != "/"; dir = path.Dir(dir) {
		if box.Skip(path.Base(dir)) {
			return true
		}
	}
	return false
}
