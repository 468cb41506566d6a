package language

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file handles changes that other programs make on disk: a checkout, a code generator, the
// user's editor. A server assumes that files have not changed since it last read them, so Marvin
// tells it about changes before the next request.

// stamp is the modification time and size of a file. A new stamp means that the content may have
// changed.
type stamp struct {
	changed time.Time
	size    int64
}

// These limits apply to one walk through a project.
const (
	mostWalked  = 50_000 // the maximum number of entries
	longestWalk = time.Second
	mostWatched = 5_000 // the maximum number of reported changes
)

// CheckDisk makes the next request look for files that other programs have changed.
func (s *Session) CheckDisk() { s.doubted.Store(true) }

// watches is true if the server is told about changes to a file.
func (s *held) watches(name string) bool {
	return s.server.matches(name) || slices.ContainsFunc(s.server.Roots, func(mark string) bool {
		found, err := path.Match(strings.TrimSuffix(mark, "!"), path.Base(name))
		return found && err == nil
	})
}

// walk returns the stamps of the project files whose changes are reported to the server. It does
// not follow links.
func (s *held) walk() map[string]stamp {
	ctx, stop := context.WithTimeout(context.Background(), longestWalk)
	defer stop()
	found, seen := map[string]stamp{}, 0
	root, err := os.OpenRoot(s.ground.Root)
	if err != nil {
		return found
	}
	defer func() { _ = root.Close() }()
	_ = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > mostWalked, ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil // if Marvin cannot read the entry, neither can the server
		case entry.IsDir() && name != "." && (entry.Name()[0] == '.' || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.Type().IsRegular() && s.watches(name):
			if info, err := entry.Info(); err == nil {
				found[filepath.Join(s.ground.Root, filepath.FromSlash(name))] = stamp{info.ModTime(), info.Size()}
			}
		}
		return nil
	})
	return found
}

// refresh tells the server about changes made by other programs. It sends the contents of open
// files, but only the names of other files. The caller handles the skipped files itself.
func (s *held) refresh(skipped map[string]bool) error {
	if s.doubted.Swap(false) {
		if err := s.tellDisk(skipped); err != nil {
			return err
		}
	}
	s.mu.Lock()
	var open []string
	for _, doc := range s.documents {
		if doc.open && !skipped[doc.path] {
			open = append(open, doc.path)
		}
	}
	s.mu.Unlock()
	contents := map[string][]byte{}
	for _, one := range open {
		contents[one] = nil
		if now, err := s.ground.Read(one); err == nil && sendable(now) {
			contents[one] = now
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for one, now := range contents {
		var err error
		if now == nil {
			err = s.drop(one)
		} else {
			_, err = s.put(one, string(now))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellDisk notifies the server of differences between s.disk and the files now on disk.
func (s *held) tellDisk(skipped map[string]bool) error {
	now, changes := s.walk(), map[string]int{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, is := range now {
		was, known := s.disk[name]
		switch {
		case skipped[name] || len(changes) >= mostWatched:
		case !known:
			changes[name] = fileMade
		case was != is:
			changes[name] = fileChanged
		}
	}
	for name := range s.disk {
		if _, there := now[name]; !there && !skipped[name] && isMissing(name) {
			changes[name] = fileGone
		}
	}
	s.disk = now
	return s.notifyChanges(changes)
}

// isMissing reports whether a file is gone from the disk. It checks the disk, because held.walk can
// skip existing files in a large project.
func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// recordWrite updates the stamp of a file so that tellDisk ignores the file's last change. The
// caller reports that change.
func (s *held) recordWrite(file string) {
	if info, err := os.Lstat(file); err == nil && s.disk != nil {
		s.disk[file] = stamp{info.ModTime(), info.Size()}
	} else {
		delete(s.disk, file)
	}
}
