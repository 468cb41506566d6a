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

// Absence is a missing name that a command must not make.
type Absence struct {
	Path    string
	Content string // of a file; "" means an empty directory
}

// make makes it. It fails with [fs.ErrExist] if there is something.
func (a Absence) make() error {
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

// remove takes the thing away if it is still as it was made.
func (a Absence) remove() {
	if a.Content == "" {
		_ = syscall.Rmdir(a.Path) // fails if there is something in it, as it should
		return
	}
	if SaysNothing(a.Path, a.Content) {
		_ = os.Remove(a.Path)
	}
}

// contents are what is ever made: a record says no more than which of them.
var contents = []string{"", "\n", ".\n"}

// record is a line about a created placeholder, for the cleanup after a kill.
func (a Absence) record() string {
	return strconv.Itoa(slices.Index(contents, a.Content)) + " " + strconv.Quote(a.Path) + "\n"
}

// recorded reads such lines, and leaves out what no Marvin wrote.
func recorded(text string) (all []Absence) {
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

// There says whether the thing is there as it was made.
func (a Absence) There() bool {
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

// SaysNothing recognizes a placeholder, perhaps of a killed Marvin. Empty directories may be the
// user's.
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
