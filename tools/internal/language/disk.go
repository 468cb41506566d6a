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

// This file handles changes on disk by other programs: a checkout, a code generator, the user's
// editor. A server assumes that a file has the content that the server last read. So Marvin informs
// the server about changes before the next request.

// stamp is the time and size of a file. A new stamp means that the content may have changed.
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

// CheckDisk makes the next request check the disk, because other programs may have changed files.
func (s *Session) CheckDisk() { s.doubted.Store(true) }

// The method "watches" reports whether Marvin tells the server about changes to files with this
// name.
func (s *held) watches(name string) bool {
	return s.server.matches(name) || slices.ContainsFunc(s.server.Roots, func(mark string) bool {
		found, err := path.Match(strings.TrimSuffix(mark, "!"), path.Base(name))
		return found && err == nil
	})
}

// walk returns the files that the server may have read by itself. It does not follow links.
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
			return nil // the server cannot read it either
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

// refresh informs the server about outside changes: for open files it sends the content, for other
// files only the names. It skips the given files, because the caller handles those.
func (s *held) refresh(except map[string]bool) error {
	if s.doubted.Swap(false) {
		if err := s.tellDisk(except); err != nil {
			return err
		}
	}
	s.mu.Lock()
	var open []string
	for _, doc := range s.documents {
		if doc.open && !except[doc.path] {
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

// tellDisk informs the server about files that changed on disk since the server was last informed.
func (s *held) tellDisk(except map[string]bool) error {
	now, changes := s.walk(), map[string]int{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, is := range now {
		was, known := s.disk[name]
		switch {
		case except[name] || len(changes) >= mostWatched:
		case !known:
			changes[name] = fileMade
		case was != is:
			changes[name] = fileChanged
		}
	}
	for name := range s.disk {
		if _, there := now[name]; !there && !except[name] && isMissing(name) {
			changes[name] = fileGone
		}
	}
	s.disk = now
	return s.notifyChanges(changes)
}

// The function "gone" checks whether a file is missing on the disk. A walk has limits, so it may
// omit a file that exists.
func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// recordWrite records that the server knows about the caller's write.
func (s *held) recordWrite(file string) {
	if info, err := os.Lstat(file); err == nil && s.disk != nil {
		s.disk[file] = stamp{info.ModTime(), info.Size()}
	} else {
		delete(s.disk, file)
	}
}
