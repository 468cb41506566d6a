package box

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/words"
	"marvin/tools/internal/protected"
)

// pathUse is the intended use of a path: reading or writing.
type pathUse uint8

const (
	reading pathUse = iota
	writing
)

// maxLinks is the maximum number of symbolic links in one path, as in Linux.
const maxLinks = 40

// found is a resolved path, without links, "." or "..".
type found struct {
	parts  []string
	exists int         // number of leading parts that exist
	info   fs.FileInfo // Lstat result for the whole path; nil if the path does not exist
}

func (f found) name() string {
	if len(f.parts) == 0 {
		return "."
	}
	return strings.Join(f.parts, "/")
}

func (f found) parent() []string { return f.parts[:len(f.parts)-1] }

func (f found) base() string { return f.parts[len(f.parts)-1] }

// walk is a path that is being resolved.
type walk struct {
	found
	dir   *Dir
	name  string // the requested name
	use   pathUse
	todo  []string
	links int
}

// resolve accepts absolute paths inside the directory, because models know the project's path.
// Positions after a file name, as in compiler messages, are ignored: "main.go:12:5" means
// "main.go", unless a file named "main.go:12:5" exists.
func (d *Dir) resolve(name string, use pathUse) (found, error) {
	if lines, ok := d.CutRange(name); ok {
		name = lines.Name
	}
	return d.resolved(name, use)
}

// CutRange splits a name such as "main.go:10-20" or "main.go:12:5" into a file name and lines. It
// returns false if the whole name exists or cannot be resolved, or if no shortened name is a
// regular file.
func (d *Dir) CutRange(name string) (words.Lines, bool) {
	ranges := words.Ranges(name)
	if len(ranges) == 0 {
		return words.Lines{}, false
	}
	if at, err := d.resolved(name, reading); err != nil || at.info != nil {
		return words.Lines{}, false
	}
	for _, lines := range ranges {
		if at, err := d.resolved(lines.Name, reading); err == nil && at.info != nil && at.info.Mode().IsRegular() {
			return lines, true
		}
	}
	return words.Lines{}, false
}

func (d *Dir) resolved(name string, use pathUse) (found, error) {
	name = d.Local(name)
	if err := d.checkSpelling(name); err != nil {
		return found{}, err
	}
	w := walk{dir: d, name: name, use: use, todo: protected.Split(name)}
	for len(w.todo) > 0 {
		part := w.todo[0]
		w.todo = w.todo[1:]
		step := w.into
		if part == ".." {
			step = w.goUp
		}
		if err := step(part); err != nil {
			return found{}, err
		}
	}
	if w.info == nil && w.exists == len(w.parts) { // it ended with ".." or "."
		info, err := d.root.Lstat(w.found.name())
		if err != nil {
			return found{}, fmt.Errorf("look at %s: %w", quoteName(name), causeOf(err))
		}
		w.info = info
	}
	if use == writing {
		return w.found, errors.Join(d.guarded.check(name, filepath.Join(d.real, w.found.name())), d.checkRepository(name, w.found))
	}
	return w.found, nil
}

// goUp resolves a ".." component of the path or of a link target.
func (w *walk) goUp(string) error {
	if len(w.parts) == 0 || w.exists < len(w.parts) {
		return w.dir.refuse(fmt.Errorf("%s is %w", quoteName(w.name), ErrOutside), "Only files in this directory can be used.")
	}
	w.parts, w.info = w.parts[:len(w.parts)-1], nil
	w.exists--
	return nil
}

func (w *walk) into(part string) error {
	if err := w.use.refuseForeign(w.name, part); err != nil {
		return err
	}
	w.parts, w.info = append(w.parts, part), nil
	if w.exists < len(w.parts)-1 {
		return nil // the parent directory does not exist
	}
	info, err := w.dir.root.Lstat(w.found.name())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return w.dir.refuse(fmt.Errorf("look at %s: %w", quoteName(w.name), causeOf(err)), "")
	case info.Mode()&fs.ModeSymlink != 0:
		return w.followLink()
	case len(w.todo) > 0 && !info.IsDir():
		return w.dir.refuse(fmt.Errorf("%s: %s is %s, not a directory", quoteName(w.name), quoteName(w.found.name()), kindOf(info.Mode())), "")
	}
	w.exists, w.info = len(w.parts), info
	return nil
}

func (w *walk) followLink() error {
	if w.links++; w.links > maxLinks {
		return w.dir.refuse(fmt.Errorf("%s goes through more than %d symbolic links", quoteName(w.name), maxLinks), "")
	}
	absolute, target, err := w.dir.follow(w.found.name())
	if err != nil {
		return w.dir.refuse(fmt.Errorf("%s: %w", quoteName(w.name), err), "Only links to places inside of the directory are followed.")
	}
	w.parts = w.parts[:len(w.parts)-1]
	if absolute {
		w.parts, w.exists = nil, 0
	}
	w.todo = append(target, w.todo...)
	return nil
}

// follow splits a link's target into path components. An absolute target must be inside the
// directory, and its components are relative to the directory.
func (d *Dir) follow(link string) (absolute bool, target []string, err error) {
	text, err := d.root.Readlink(link)
	if err != nil {
		return false, nil, causeOf(err)
	}
	if !filepath.IsAbs(text) {
		return false, protected.Split(text), nil
	}
	if relative, ok := d.relative(text); ok {
		return true, protected.Split(relative), nil
	}
	return false, nil, fmt.Errorf("%s is a symbolic link to %s, which is %w", quoteName(link), quoteName(text), ErrOutside)
}

// checkSpelling checks only the text of a path. The file need not exist.
func (d *Dir) checkSpelling(name string) error {
	switch {
	case name == "":
		return d.refuse(errors.New("the path is empty"), "Give a path relative to the directory.")
	case strings.ContainsRune(name, 0):
		return d.refuse(fmt.Errorf("the path %q contains a NUL byte", name), "")
	case filepath.IsAbs(name) || strings.HasPrefix(name, "/"):
		return d.refuse(fmt.Errorf("%s is %w", quoteName(name), ErrOutside), "Use a path relative to the directory.")
	case name == "~" || strings.HasPrefix(name, "~/"):
		// A directory with the literal name ~ would invite accidents.
		return d.refuse(fmt.Errorf("%s is %w: ~ stands for the home directory", quoteName(name), ErrOutside), "Use a path relative to the directory.")
	}
	return nil
}

// Local converts an absolute path inside the directory to a relative path. Any other name, even an
// invalid one, is returned unchanged.
func (d *Dir) Local(name string) string {
	if filepath.IsAbs(name) {
		if relative, ok := d.relative(name); ok {
			return relative
		}
	}
	return name
}

// relative converts an absolute path into a path relative to the directory. For a path outside the
// directory, the result is false.
func (d *Dir) relative(name string) (string, bool) {
	for _, base := range []string{d.path, d.real} {
		if relative, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(relative) {
			return filepath.ToSlash(relative), true
		}
	}
	return "", false
}

// refuseForeign returns an error for .tickets and, when writing, for .git. It is called for every
// path component, including those of link targets.
func (u pathUse) refuseForeign(name, part string) error {
	if sameName(part, ".tickets") {
		return &Refusal{
			Err:  fmt.Errorf("%s is %w: tickets are not edited as files", quoteName(name), ErrProtected),
			Next: "Use the ticket tools (ticket_list, ticket_show, create_ticket, ticket_add_note …).",
		}
	}
	if u == writing && (sameName(part, ".git") || strings.EqualFold(part, "git~1")) {
		// Git runs programs that .git/config specifies, and hooks in .git.
		return &Refusal{
			Err:  fmt.Errorf("%s is %w: git's own files are never written", quoteName(name), ErrProtected),
			Next: "Use the git tools to change the repository.",
		}
	}
	return nil
}

func sameName(name, wanted string) bool { return protected.SameName(name, wanted) }

// descend opens the directory with the given path components. If create is true, descend creates
// missing directories. The last argument collects the paths of the created directories, and can be
// nil. A link is an error, because a link here means that a directory was replaced after the check.
func (d *Dir) descend(parts []string, create bool, made *[]string) (*os.Root, error) {
	at, err := d.root.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", d.path, causeOf(err))
	}
	for i, part := range parts {
		name := strings.Join(parts[:i+1], "/")
		next, fresh, err := enter(at, part, create)
		_ = at.Close()
		if err != nil {
			return nil, fmt.Errorf("open directory %s: %w", quoteName(name), causeOf(err))
		}
		if fresh && made != nil {
			*made = append(*made, name)
		}
		at = next
	}
	return at, nil
}

func enter(at *os.Root, part string, create bool) (next *os.Root, fresh bool, err error) {
	info, err := at.Lstat(part)
	if create && errors.Is(err, fs.ErrNotExist) {
		err = at.Mkdir(part, 0o755)
		fresh = err == nil
		if err == nil || errors.Is(err, fs.ErrExist) {
			info, err = at.Lstat(part)
		}
	}
	if err != nil {
		return nil, fresh, err
	}
	if !info.IsDir() {
		return nil, fresh, fmt.Errorf("%w: it is %s now", ErrChanged, kindOf(info.Mode()))
	}
	if next, err = at.OpenRoot(part); err != nil {
		return nil, fresh, err
	}
	now, err := next.Stat(".")
	if err == nil && !os.SameFile(info, now) {
		err = ErrChanged
	}
	if err != nil {
		_ = next.Close()
		return nil, fresh, err
	}
	return next, fresh, nil
}

// causeOf removes the operation and the path from an error, because Marvin's messages already
// contain them.
func causeOf(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
