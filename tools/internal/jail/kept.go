package jail

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools/internal/jail/copies"
)

// If undo is off, Marvin keeps copies of the files that commands destroyed. The copies are below
// Marvin's own directory, and the user can copy them back.
const (
	keptFor      = 30 * 24 * time.Hour
	mostKept     = 256 << 20 // the maximum number of bytes that a keeper saves
	mostKeptTemp = 64 << 20  // the maximum total size of the files from one private /tmp, in bytes
)

// retained describes a [Keeper]'s copies of destroyed files and of files from a private /tmp.
type retained struct {
	dir    string // the directory of the copies, or "" before the first copy
	size   int64
	names  []string // not reported yet
	failed error    // an error that [Keeper.TakeKept] has not returned yet
}

// Before returns the [copies.Before] for a root, and creates it on the first call. To copy the
// files below the root, the caller must call [copies.Before.Take].
func (k *Keeper) Before(root string) (*copies.Before, error) {
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.befores[resolved]; found != nil {
		return found, nil
	}
	if err := k.makeTemp(); err != nil {
		return nil, err
	}
	in := filepath.Join(k.temp.whole, "before")
	if err := os.MkdirAll(in, 0o700); err != nil {
		return nil, err
	}
	if k.befores == nil {
		k.befores = map[string]*copies.Before{}
	}
	made := copies.Of(resolved, in)
	k.befores[resolved] = made
	return made, nil
}

// Snapshot returns the result of [copies.Snapshot], or nil if [copies.CopiesFiles] is false.
func (k *Keeper) Snapshot(root string) (*copies.Before, error) {
	if !copies.CopiesFiles {
		return nil, nil
	}
	resolved, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	err = k.makeTemp()
	whole := ""
	if err == nil {
		whole = k.temp.whole
	}
	k.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return copies.Snapshot(resolved, whole)
}

// Keep saves files that a command destroyed, and returns the directory that contains the copies.
func (k *Keeper) Keep(lost []copies.Lost) (dir string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, one := range lost {
		err = errors.Join(err, k.keepLost(one))
	}
	return k.kept.dir, err
}

func (k *Keeper) keepLost(one copies.Lost) error {
	return k.keep(one.Name, one.Mode, int64(len(one.Content)), func(to io.Writer) error {
		_, err := to.Write(one.Content)
		return err
	})
}

// keep creates one file, with its content, under an unused name. The caller holds the lock.
func (k *Keeper) keep(name string, mode fs.FileMode, size int64, write func(io.Writer) error) error {
	if k.kept.size+size > mostKept {
		return fmt.Errorf("%s is not stored: the limit is %d MiB", name, mostKept>>20)
	}
	if err := k.makeKept(); err != nil {
		return err
	}
	root, err := os.OpenRoot(k.kept.dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	path := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	free := path
	for n := 2; ; n++ {
		if _, err := root.Lstat(free); err != nil {
			break
		}
		free = fmt.Sprintf("%s~%d", path, n)
	}
	file, err := root.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode&0o700|0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return err
	}
	k.kept.size += size
	k.kept.names = append(k.kept.names, name)
	return nil
}

// makeKept creates k.kept.dir on the first call, and removes sibling directories older than
// keptFor.
func (k *Keeper) makeKept() (err error) {
	if k.kept.dir != "" {
		return nil
	}
	if k.config.Data == "" {
		return errors.New("Marvin has no directory of its own to keep files in; set HOME")
	}
	all := filepath.Join(k.config.Data, "kept")
	if err := os.MkdirAll(all, 0o700); err != nil {
		return err
	}
	old, _ := os.ReadDir(all)
	for _, one := range old {
		if info, err := one.Info(); err == nil && time.Since(info.ModTime()) > keptFor {
			_ = os.RemoveAll(filepath.Join(all, one.Name()))
		}
	}
	k.kept.dir, err = os.MkdirTemp(all, time.Now().Format("2006-01-02-150405-"))
	return err
}

// TakeKept returns the names of the files that were saved after the previous call. dir contains all
// files saved so far, or is "" if no file was saved. err explains why some files were not saved.
func (k *Keeper) TakeKept() (dir string, names []string, err error) {
	if k == nil {
		return "", nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	names, err = k.kept.names, k.kept.failed
	k.kept.names, k.kept.failed = nil, nil
	return k.kept.dir, names, err
}

// keepTemp keeps the files that commands left in a private /tmp. It skips caches, and the temporary
// files that programs make for themselves. The caller holds the lock.
func (k *Keeper) keepTemp(path string) (err error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	size := int64(0)
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // a command made the file unreadable
		case name == ".":
			return nil
		case entry.IsDir() && (passing(entry.Name()) || name == "cache" || copies.Skipped(entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || passing(entry.Name()):
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() == 0 {
			return nil //nolint:nilerr // the file is gone
		}
		if size += info.Size(); size > mostKeptTemp {
			return fmt.Errorf("files in the sandbox's /tmp are lost, because Marvin stores at most %d MiB", mostKeptTemp>>20)
		}
		file, err := root.Open(name)
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		defer func() { _ = file.Close() }()
		return k.keep("tmp/"+name, info.Mode().Perm(), info.Size(), func(to io.Writer) error {
			_, err := io.Copy(to, io.LimitReader(file, info.Size()))
			return err
		})
	})
}

// passing recognizes names that programs typically give to temporary files.
func passing(name string) bool {
	for _, begin := range []string{"go-build", "go-link-", "cgo-", "tmp.", "pip-", "npm-", "node-compile-cache", "v8-compile-cache", "pytest-of-", "yarn--", "rustc", "cc", ".", "systemd-private-", "ssh-", "hsperfdata_", "clang-", "gopls", "golangci", "esbuild", "jest", "tsx-", "uv-", "pyright-", "sh-thd", "tmpfile", "playwright", "puppeteer"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	// Python's tempfile module makes names that consist of "tmp" and eight characters.
	return len(name) == len("tmp12345678") && strings.HasPrefix(name, "tmp") || slices.Contains([]string{"marvin", "lost+found"}, name)
}

// rescue creates copies of files from a private /tmp before the directory is removed. The caller
// holds the lock.
func (k *Keeper) rescue(path string) {
	if err := k.keepTemp(path); err != nil && k.kept.failed == nil {
		k.kept.failed = err
	}
}
