// Package copies saves the files in a working directory before a command or an external agent runs,
// so that they can be restored. Before a command, it saves only files whose content git does not
// have.
package copies

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/internal/disk"
)

// These are the limits for one working directory.
const (
	maxBefore       = 8 << 20  // the maximum size of one file, in bytes
	mostBeforeAll   = 64 << 20 // the maximum size of all copies, in bytes
	mostBeforeFiles = 20_000   // the maximum number of files that are examined
	mostLost        = 1_000    // the maximum number of lost files for one command
)

// A Before holds copies of a working directory's files whose content is not in git. The copies are
// made before each command, so that files that the command destroys can be restored.
type Before struct {
	root string
	in   string // the directory of the copies

	mu      sync.Mutex
	files   map[string]*copied
	running int    // the number of commands whose callers still wait
	jobs    bool   // a command has continued in the background
	found   []Lost // files that were lost while other commands ran
	size    int64
	held    map[string]int64 // the sizes of copies, by hash
	more    bool             // there were more than mostBeforeFiles files
	all     bool             // whether to copy even unmodified files in git's index: see [Snapshot]
	at      time.Time        // when a snapshot began
}

// copied contains what [Before.Take] recorded about one file.
type copied struct {
	stat   disk.Stat
	at     time.Time // the time at which the file's state was read
	mode   fs.FileMode
	hash   string // the hash of the copied content; "" if there is no copy
	reason string // why the file could not be copied, or ""
}

// Lost is a file that a command changed or removed.
type Lost struct {
	Name    string // the slash-separated path relative to the root
	Mode    fs.FileMode
	Content []byte
	Now     []byte // the current content; nil if the file is gone or unreadable
	NowMode fs.FileMode
}

// Gone reports whether the file was removed.
func (l Lost) Gone() bool { return l.Now == nil }

// Of returns an empty [Before] for the files below root. The copies are stored in dir. root must be
// a path without symbolic links.
func Of(root, dir string) *Before {
	return &Before{root: root, in: dir, files: map[string]*copied{}, held: map[string]int64{}}
}

// Take copies the files that have changed since the last call to Take. The caller must call Take
// before each command, and [Before.Lost] or [Before.InBackground] after it.
func (b *Before) Take() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running > 0 || b.jobs { // running commands may have destroyed files since the last call
		b.found = append(b.found, b.findLost(b.running == 0)...)
	}
	b.running++
	root, err := os.OpenRoot(b.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	var inGit map[string]gitdir.Entry
	seen := make(map[string]*copied, len(b.files))
	b.more = false
	err = b.walk(root, func(name string, stat disk.Stat, mode fs.FileMode, changed int64) {
		if old := b.files[name]; old != nil && old.stat == stat && old.reason == "" && !stat.ChangedSince(old.at) {
			old.mode = mode
			seen[name] = old
			return
		}
		if inGit == nil && !b.all {
			inGit = inIndex(b.root)
		}
		one := &copied{stat: stat, at: time.Now(), mode: mode}
		if entry, known := inGit[name]; known && entry.Changed == changed && entry.Size == uint32(stat.Size) {
			seen[name] = one
			return
		}
		b.copy(root, name, one)
		seen[name] = one
	})
	b.files = seen
	b.forget()
	return err
}

// inIndex returns the git index entries of the files below root, keyed by path relative to root.
func inIndex(root string) map[string]gitdir.Entry {
	found := gitdir.Discover(root)
	all := map[string]gitdir.Entry{}
	if found.Entry == "" {
		return all
	}
	below, err := filepath.Rel(filepath.Dir(found.Entry), root)
	if err != nil {
		return all
	}
	for _, entry := range gitdir.Index(filepath.Join(found.Dir, "index")) {
		name, inside := entry.Name, true
		if below != "." {
			name, inside = strings.CutPrefix(entry.Name, filepath.ToSlash(below)+"/")
		}
		if inside && !entry.Module {
			all[name] = entry
		}
	}
	return all
}

// copy ensures that the content of a file is saved, and sets one.hash. On failure, it sets
// one.reason.
func (b *Before) copy(root *os.Root, name string, one *copied) {
	if one.stat.Size > maxBefore {
		one.reason = "it is larger than 8 MiB"
		return
	}
	if b.size+one.stat.Size > b.sizeLimit() {
		one.reason = "the files that git does not store are larger than 64 MiB in total"
		return
	}
	content, err := readRegular(root, name)
	if err != nil {
		one.reason = "it cannot be read"
		return
	}
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	if _, known := b.held[hash]; !known {
		if err := os.WriteFile(filepath.Join(b.in, hash), content, 0o600); err != nil {
			one.reason = "it cannot be copied: " + err.Error()
			return
		}
		b.held[hash], b.size = int64(len(content)), b.size+int64(len(content))
	}
	one.hash = hash
}

// readRegular reads a regular file, without following a link or waiting for a pipe.
func readRegular(root *os.Root, name string) ([]byte, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|disk.NoWait|disk.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.ErrUnsupported)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxBefore+1))
	if err == nil && len(content) > maxBefore {
		err = errors.ErrUnsupported
	}
	return content, err
}

// forget removes unused copies.
func (b *Before) forget() {
	used := map[string]bool{}
	for _, one := range b.files {
		used[one.hash] = true
	}
	for hash, size := range b.held {
		if !used[hash] {
			_ = os.Remove(filepath.Join(b.in, hash))
			delete(b.held, hash)
			b.size -= size
		}
	}
}

// InBackground notes that a command continues in the background. If detached is true, the caller
// will not call [Before.Lost] for this command.
func (b *Before) InBackground(detached bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs = true
	if detached {
		b.running--
	}
}

// Skipped reports whether a directory with the given name is left out of copies: see [disk.Remade].
func Skipped(name string) bool { return disk.Remade(name) }

// Root returns the working directory, with symbolic links resolved.
func (b *Before) Root() string { return b.root }

// Uncopied describes a file without a copy: see [Before.Unsaved].
type Uncopied struct {
	Name   string // below the root, with slashes
	Reason string
}

// mostUncopied is the maximum number of files that Unsaved returns.
const mostUncopied = 1_000

// Unsaved returns files that are neither copied nor in git. If anyOf is true, it returns all such
// files. Otherwise, it returns those that match a pattern, and those below a directory that matches
// a pattern. Patterns are absolute paths.
func (b *Before) Unsaved(patterns []string, anyOf bool) (list []Uncopied) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range disk.Sorted(b.files) {
		if len(list) == mostUncopied {
			return list
		}
		if why := b.files[name].reason; why != "" && (anyOf || slices.ContainsFunc(patterns, func(pattern string) bool { return covers(pattern, filepath.Join(b.root, filepath.FromSlash(name))) })) {
			list = append(list, Uncopied{name, why})
		}
	}
	if !b.more {
		return list
	}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		for _, path := range found {
			if len(list) == mostUncopied {
				return list
			}
			name, err := filepath.Rel(b.root, path)
			_, known := b.files[filepath.ToSlash(name)]
			if err == nil && !known && filepath.IsLocal(name) && !Skipped(filepath.Base(path)) {
				list = append(list, Uncopied{filepath.ToSlash(name), fmt.Sprintf("there are more than %d files in the working directory", mostBeforeFiles)})
			}
		}
	}
	return list
}

// covers is true if a pattern matches a path or one of the path's parent directories. DIR//NAME
// matches each NAME below DIR.
func covers(pattern, path string) bool {
	if dir, name, below := strings.Cut(pattern, "//"); below {
		matches, err := filepath.Match(name, filepath.Base(path))
		return disk.Contains(path, dir) && (matches || err != nil)
	}
	for at := path; ; at = filepath.Dir(at) {
		if matches, err := filepath.Match(pattern, at); err != nil || matches || pattern == at {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// Lost returns the files that changed or disappeared since [Before.Take]. It must be called when a
// command has ended. A renamed file is not lost.
func (b *Before) Lost() []Lost {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	lost := append(b.found, b.findLost(false)...)
	b.found = nil
	return lost
}

// AtEnd returns the files that background jobs destroyed since the last command. It must be called
// when Marvin exits.
func (b *Before) AtEnd() []Lost {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.jobs && b.running == 0 {
		return b.found
	}
	return append(b.found, b.findLost(true)...)
}

// findLost returns the files that changed or disappeared since they were copied. If goneOnly is
// true, it omits changed files, because another program may have changed them.
func (b *Before) findLost(goneOnly bool) (lost []Lost) {
	root, err := os.OpenRoot(b.root)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	gone := false
	for _, name := range b.copied() {
		one := b.files[name]
		if len(lost) >= mostLost {
			break
		}
		stat, there := disk.Of(filepath.Join(b.root, filepath.FromSlash(name)))
		if there && stat == one.stat && !stat.ChangedSince(one.at) {
			continue
		}
		found := Lost{Name: name, Mode: one.mode}
		if there {
			found.Now, err = readRegular(root, name)
			if info, infoErr := root.Lstat(name); infoErr == nil {
				found.NowMode = info.Mode().Perm()
			}
			sum := sha256.Sum256(found.Now)
			if goneOnly || err == nil && hex.EncodeToString(sum[:]) == one.hash {
				continue
			}
			if err == nil && found.Now == nil {
				found.Now = []byte{}
			}
		}
		gone = gone || found.Gone()
		if found.Content, err = os.ReadFile(filepath.Join(b.in, one.hash)); err == nil {
			lost = append(lost, found)
		}
	}
	for _, one := range lost { // each loss is reported only once
		delete(b.files, one.Name)
	}
	if gone {
		lost = b.withoutMoved(root, lost)
	}
	return lost
}

func (b *Before) copied() (names []string) {
	for name, one := range b.files {
		if one.hash != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// withoutMoved returns the lost files, except those that were renamed. A removed file counts as
// renamed if a new file has the same content.
func (b *Before) withoutMoved(root *os.Root, lost []Lost) []Lost {
	bySize := map[int64][]string{}
	_ = b.walk(root, func(name string, stat disk.Stat, _ fs.FileMode, _ int64) {
		if _, known := b.files[name]; !known {
			bySize[stat.Size] = append(bySize[stat.Size], name)
		}
	})
	return slices.DeleteFunc(lost, func(one Lost) bool {
		return one.Gone() && len(one.Content) > 0 && slices.ContainsFunc(bySize[int64(len(one.Content))], func(name string) bool {
			content, err := readRegular(root, name)
			return err == nil && bytes.Equal(content, one.Content)
		})
	})
}
