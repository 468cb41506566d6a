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

// Without undo, files destroyed by commands are kept below Marvin's own directory, for the user to
// copy back.
const (
	keptFor      = 30 * 24 * time.Hour
	mostKept     = 256 << 20 // bytes of one Marvin
	mostKeptTemp = 64 << 20  // of them of the private /tmp, at the end
)

// retained is what this Marvin keeps so.
type retained struct {
	dir    string // "" until there is something
	size   int64
	names  []string // not reported yet
	failed error    // why not all of it is kept
}

// Before returns the copies of the files below a root, which [copies.Before.Take] makes.
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

// Snapshot is [copies.Snapshot]. It is nil on a system whose files Marvin does not look through.
func (k *Keeper) Snapshot(root string) (*copies.Before, error) {
	if !copies.Sees {
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

// Keep keeps the contents of files that a command destroyed below a root. It returns the
// directory where they are.
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

// keep writes one file under a name that is free. The keeper is locked.
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

// makeKept makes the directory, and removes those that are too old.
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

// Kept says once where the files are that were kept since it was last asked, and names some
// of them; "" where there are none. The error says why not all of them are kept.
func (k *Keeper) Kept() (dir string, names []string, err error) {
	if k == nil {
		return "", nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	names, err = k.kept.names, k.kept.failed
	k.kept.names, k.kept.failed = nil, nil
	return k.kept.dir, names, err
}

// keepTemp keeps what commands left in a private /tmp, but for caches and what programs make
// there for themselves. The keeper is locked.
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
			return nil //nolint:nilerr // what cannot be read was made so by a command
		case name == ".":
			return nil
		case entry.IsDir() && (passing(entry.Name()) || name == "cache" || copies.Skipped(entry.Name())):
			return fs.SkipDir
		case !entry.Type().IsRegular() || passing(entry.Name()):
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Size() == 0 {
			return nil //nolint:nilerr // it is gone
		}
		if size += info.Size(); size > mostKeptTemp {
			return fmt.Errorf("files in the sandbox's /tmp are gone: only %d MiB are stored", mostKeptTemp>>20)
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

// passing says of a name in /tmp that a program made it for itself alone.
func passing(name string) bool {
	for _, begin := range []string{"go-build", "go-link-", "cgo-", "tmp.", "pip-", "npm-", "node-compile-cache", "v8-compile-cache", "pytest-of-", "yarn--", "rustc", "cc", ".", "systemd-private-", "ssh-", "hsperfdata_", "clang-", "gopls", "golangci", "esbuild", "jest", "tsx-", "uv-", "pyright-", "sh-thd", "tmpfile", "playwright", "puppeteer"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	// mkstemp of Python and mktemp of C: tmp and eight letters, or six behind a point.
	return len(name) == len("tmp12345678") && strings.HasPrefix(name, "tmp") || slices.Contains([]string{"marvin", "lost+found"}, name)
}

// rescue keeps what is in the private /tmp of a Marvin that was killed. The keeper is locked.
func (k *Keeper) rescue(path string) {
	if err := k.keepTemp(path); err != nil && k.kept.failed == nil {
		k.kept.failed = err
	}
}
