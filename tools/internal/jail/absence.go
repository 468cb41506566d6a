package jail

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// absence is something that is made while commands run, so that they cannot make it.
type absence struct {
	path    string
	content string // of a file; "" means an empty directory
}

// make makes it. It fails with [fs.ErrExist] if there is something.
func (a absence) make() error {
	if a.content == "" {
		return os.Mkdir(a.path, 0o755)
	}
	file, err := os.OpenFile(a.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(a.content)
	return errors.Join(err, file.Close())
}

// remove takes the thing away if it is still as it was made.
func (a absence) remove() {
	if a.content == "" {
		_ = syscall.Rmdir(a.path) // fails if there is something in it, as it should
		return
	}
	if saysNothing(a.path, a.content) {
		_ = os.Remove(a.path)
	}
}

// contents are what is ever made: a record says no more than which of them.
var contents = []string{"", "\n", ".\n"}

// record is a line about a created placeholder, for the cleanup after a kill.
func (a absence) record() string {
	return strconv.Itoa(slices.Index(contents, a.content)) + " " + strconv.Quote(a.path) + "\n"
}

// recorded reads such lines, and leaves out what no Marvin wrote.
func recorded(text string) (all []absence) {
	for line := range strings.Lines(text) {
		kind, quoted, _ := strings.Cut(strings.TrimSpace(line), " ")
		index, err := strconv.Atoi(kind)
		path, unquoted := strconv.Unquote(quoted)
		if err == nil && unquoted == nil && index >= 0 && index < len(contents) && filepath.IsAbs(path) {
			all = append(all, absence{path: path, content: contents[index]})
		}
	}
	return all
}

// there says whether the thing is there as it was made.
func (a absence) there() bool {
	if a.content != "" {
		return saysNothing(a.path, a.content)
	}
	info, err := os.Lstat(a.path)
	if err != nil || !info.IsDir() {
		return false
	}
	entries, err := os.ReadDir(a.path)
	return err == nil && len(entries) == 0
}
