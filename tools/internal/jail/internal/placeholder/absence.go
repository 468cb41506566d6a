package placeholder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Absence is a missing path that a command must not create.
type Absence struct {
	Path    string
	Content string // the placeholder's content; "" means an empty directory
}

// create creates the placeholder. If the path exists, the error wraps [fs.ErrExist].
func (a Absence) create() error {
	if a.Content == "" {
		return os.Mkdir(a.Path, 0o755)
	}
	file, err := os.OpenFile(a.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(a.Content)
	return errors.Join(err, file.Close())
}

func (a Absence) remove() {
	if a.Content == "" {
		_ = syscall.Rmdir(a.Path) // rmdir fails if the directory is not empty
		return
	}
	if SaysNothing(a.Path, a.Content) {
		_ = os.Remove(a.Path)
	}
}

// contents contains the possible values of [Absence.Content]. A record refers to a value by its
// index.
var contents = []string{"", "\n", ".\n"}

// record encodes the placeholder as a line of the book file: see [Table.Begin].
func (a Absence) record() string {
	return strconv.Itoa(slices.Index(contents, a.Content)) + " " + strconv.Quote(a.Path) + "\n"
}

// parseRecord parses the lines that [Absence.record] wrote, and ignores all other lines.
func parseRecord(text string) (all []Absence) {
	for line := range strings.Lines(text) {
		kind, quoted, _ := strings.Cut(strings.TrimSpace(line), " ")
		index, err := strconv.Atoi(kind)
		path, unquoted := strconv.Unquote(quoted)
		if err == nil && unquoted == nil && index >= 0 && index < len(contents) && filepath.IsAbs(path) {
			all = append(all, Absence{Path: path, Content: contents[index]})
		}
	}
	return all
}

// Intact reports whether the placeholder exists and is unchanged.
func (a Absence) Intact() bool {
	if a.Content != "" {
		return SaysNothing(a.Path, a.Content)
	}
	info, err := os.Lstat(a.Path)
	if err != nil || !info.IsDir() {
		return false
	}
	entries, err := os.ReadDir(a.Path)
	return err == nil && len(entries) == 0
}

// SaysNothing reports whether path is a regular file with the given content. Such a file is a
// placeholder, possibly of a killed Marvin process. If content is empty, SaysNothing returns false,
// because an empty directory may be the user's.
func SaysNothing(path, content string) bool {
	if content == "" {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) {
		return false
	}
	now, err := os.ReadFile(path)
	return err == nil && string(now) == content
}
