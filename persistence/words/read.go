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

	"marvin/persistence/plaintext"
)

// errNoText reports a file that is not text, such as a picture named AGENTS.md.
var errNoText = errors.New("it is not text")

var errBroken = errors.New("it is a symbolic link to a missing file, so nothing is read")

// tree is a directory whose files are read. A project's directory is read through an os.Root, so
// that symbolic links cannot lead out of the project. A user's directory is read by path, because
// users often have symbolic links among their settings.
type tree struct {
	root *os.Root
	path string // for messages; if root is nil, files are opened by this path
}

func (t tree) open(name string, flags int) (*os.File, error) {
	flags |= os.O_RDONLY | syscall.O_NONBLOCK
	if t.root == nil {
		return os.OpenFile(filepath.Join(t.path, filepath.FromSlash(name)), flags, 0)
	}
	return t.root.OpenFile(name, flags, 0)
}

func (t tree) stat(name string) (fs.FileInfo, error) {
	if t.root == nil {
		return os.Stat(filepath.Join(t.path, filepath.FromSlash(name)))
	}
	return t.root.Stat(name)
}

// broken returns errBroken for a symbolic link. Callers must check that the link's target cannot be
// opened. Without errBroken, the user could believe that Marvin reads the rules in the link's
// target.
func (t tree) broken(name string) error {
	var info fs.FileInfo
	var err error
	if t.root == nil {
		info, err = os.Lstat(filepath.Join(t.path, filepath.FromSlash(name)))
	} else {
		info, err = t.root.Lstat(name)
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return errBroken
	}
	return nil
}

// openSubtree returns a subdirectory as a tree. The caller must close the tree.
func (t tree) openSubtree(dir string) (tree, error) {
	if t.root == nil {
		return tree{path: filepath.Join(t.path, filepath.FromSlash(dir))}, nil
	}
	root, err := t.root.OpenRoot(dir)
	return tree{root: root, path: t.pathOf(dir)}, err
}

func (t tree) pathOf(name string) string { return joined(t.path, name) }

// joined is like [filepath.Join] for two clean paths. It does not clean the result.
func joined(dir, name string) string {
	switch {
	case name == ".":
		return dir
	case dir == "", os.IsPathSeparator(dir[len(dir)-1]):
		return filepath.Join(dir, filepath.FromSlash(name))
	}
	return dir + string(filepath.Separator) + filepath.FromSlash(name)
}

func (t tree) close() {
	if t.root != nil {
		_ = t.root.Close()
	}
}

// directory returns an open directory, or nil if the path does not exist or is not a directory.
func (t tree) directory(name string) (*os.File, error) {
	open, err := t.open(name, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENXIO) {
		return nil, t.broken(name)
	}
	if err != nil {
		return nil, err
	}
	if info, err := open.Stat(); err != nil || !info.IsDir() {
		return nil, errors.Join(err, open.Close())
	}
	return open, nil
}

// leadsOut reports whether an error has a cause other than a missing file, for example a path that
// leaves the tree.
func leadsOut(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// read decodes at most the given number of bytes of a regular file. It never waits for a pipe. It
// also returns the number of bytes that it cut off. For a directory or a missing file, text is ""
// and there is no error. A broken symbolic link is an error.
func read(from tree, name string, limit int64) (text string, cut int64, err error) {
	file, err := from.open(name, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", 0, from.broken(name)
	case err != nil:
		return "", 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", 0, err
	case info.IsDir():
		return "", 0, nil
	case !info.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is not a regular file (%s)", name, info.Mode().Type())
	}
	data := make([]byte, min(info.Size(), limit)+1)
	length, err := file.Read(data) // for a regular file, one call is enough
	if err != nil && !errors.Is(err, io.EOF) {
		return "", 0, err
	}
	data = data[:min(int64(length), limit)]
	text = string(plaintext.Decode(data))
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

// namesBelow returns the files that have one of the given endings. It searches dir and its
// subdirectories, down to the given depth. The entries of each directory are in sorted order.
func namesBelow(from tree, dir string, ends []string, depth int) (names []string, err error) {
	entries, err := entriesOf(from, dir, mostRules*4)
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if entry.IsDir() {
			if depth > 0 {
				more, problem := namesBelow(from, name, ends, depth-1)
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
