package copies

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools/internal/jail/internal/disk"
)

// mostSnapshot is the maximum size of a snapshot, in bytes. It exceeds the limit for commands,
// because an external agent can edit every file of a project, even files tracked by git.
const mostSnapshot = 256 << 20

// Snapshot copies the files below root, even those that git tracks, so that all changes made by a
// program can be undone. It stores the copies in a new directory below parent. The caller must call
// [Before.EndSnapshot] when the program has ended.
func Snapshot(root, parent string) (*Before, error) {
	in, err := os.MkdirTemp(parent, "snapshot-")
	if err != nil {
		return nil, err
	}
	made := Of(root, in)
	made.all, made.at = true, time.Now()
	if err := made.Take(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(in))
	}
	return made, nil
}

func (b *Before) sizeLimit() int64 {
	if b.all {
		return mostSnapshot
	}
	return mostBeforeAll
}

// Change is a file that changed since a snapshot.
type Change struct {
	Name            string // below the root, with slashes
	Before, After   []byte // nil if there is no file
	WasMode, IsMode fs.FileMode
}

// EndSnapshot returns the changes since the snapshot, and the names of changed files without a
// copy. It then removes the copies.
func (b *Before) EndSnapshot() (changes []Change, unsaved []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { _ = os.RemoveAll(b.in) }()
	root, err := os.OpenRoot(b.root)
	if err != nil {
		return nil, nil
	}
	defer func() { _ = root.Close() }()
	there := map[string]bool{}
	_ = b.walk(root, func(name string, stat disk.Stat, mode fs.FileMode, _ int64) {
		there[name] = true
		old := b.files[name]
		if old != nil && stat == old.stat && !stat.ChangedSince(old.at) || old == nil && b.more && !stat.ChangedSince(b.at) {
			return // beyond mostBeforeFiles, only the ctime shows whether a file changed
		}
		one := Change{Name: name, IsMode: mode}
		after, err := readRegular(root, name)
		if one.After = after; after == nil {
			one.After = []byte{}
		}
		if err != nil || !b.setOld(old, &one) {
			unsaved = append(unsaved, name)
		} else if old == nil || string(one.Before) != string(one.After) || one.WasMode != one.IsMode {
			changes = append(changes, one)
		}
	})
	for _, name := range disk.Sorted(b.files) {
		if one := (Change{Name: name}); !there[name] && !b.setOld(b.files[name], &one) {
			unsaved = append(unsaved, name)
		} else if !there[name] {
			changes = append(changes, one)
		}
	}
	slices.Sort(unsaved)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return changes, unsaved
}

// setOld stores the old content and mode in a [Change]. It returns false if there is no copy of the
// content.
func (b *Before) setOld(old *copied, one *Change) bool {
	if old == nil {
		return !b.more // if b.more is false, the file is new
	}
	if old.hash == "" {
		return false
	}
	content, err := os.ReadFile(filepath.Join(b.in, old.hash))
	if one.Before, one.WasMode = content, old.mode; content == nil {
		one.Before = []byte{}
	}
	return err == nil
}
