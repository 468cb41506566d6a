package box

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	treeLimit  = 40   // maximum number of lines in a tree
	treeBranch = 8    // maximum number of lines for each subdirectory
	readLimit  = 2000 // maximum number of entries read from a directory
)

// Skip reports whether listings omit a directory. They omit directories that belong to another
// program or are large and irrelevant to the project.
func Skip(name string) bool {
	switch strings.ToLower(name) {
	case ".git", ".hg", ".svn", ".tickets", "node_modules", "venv", ".venv", "__pycache__":
		return true
	}
	return false
}

// contents adds listings and suggestions to errors about paths in an open directory.
type contents struct {
	root *os.Root
	kind string // the name of the directory in errors, such as "Working directory"
	path string // the absolute path under which root was opened
}

// refuse creates a [Refusal] that wraps err. The advice ends with a listing of the directory.
func (c contents) refuse(err error, format string, args ...any) error {
	var next []string
	if format != "" {
		next = append(next, fmt.Sprintf(format, args...))
	}
	return &Refusal{Err: err, Next: strings.Join(append(next, c.overview()), "\n")}
}

// overview returns the path of the directory and a tree of depth two.
func (c contents) overview() string {
	lines := c.list(".", 2, treeLimit)
	if len(lines) == 0 {
		return fmt.Sprintf("%s: %s (empty)", c.kind, c.path)
	}
	return fmt.Sprintf("%s: %s\nIt contains:\n%s", c.kind, c.path, strings.Join(lines, "\n"))
}

// list returns a directory as an indented tree of at most limit lines. Deeper levels appear only if
// the first level leaves room.
func (c contents) list(name string, depth, limit int) []string {
	entries, more := c.entries(name), 0
	if len(entries) > limit {
		more = len(entries) - (limit - 1)
		entries = entries[:limit-1]
	}
	room := limit - len(entries)
	if more > 0 {
		room--
	}
	var lines []string
	for _, entry := range entries {
		lines = append(lines, "  "+shownName(entry))
		if depth < 2 || !entry.IsDir() || room <= 0 {
			continue
		}
		for _, line := range c.list(name+"/"+entry.Name(), depth-1, min(room, treeBranch)) {
			lines = append(lines, "  "+line)
			room--
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("  … %d more", more))
	}
	return lines
}

// entries returns the sorted entries of a directory. It returns no error, because the entries only
// help the caller to explain another error.
func (c contents) entries(name string) []fs.DirEntry {
	dir, err := c.root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	entries, _ := dir.ReadDir(readLimit)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return Skip(e.Name()) })
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

func shownName(entry fs.DirEntry) string {
	name := quoteName(entry.Name())
	switch {
	case entry.IsDir():
		return name + "/"
	case entry.Type()&fs.ModeSymlink != 0:
		return name + " (link)"
	case !entry.Type().IsRegular():
		return name + " (" + strings.TrimPrefix(kindOf(entry.Type()), "a ") + ")"
	}
	return name
}

// quoteName formats a path for messages. A path with invalid, unprintable or combining characters
// gets quotes and escapes, and any other path stays unchanged.
func quoteName(name string) string {
	if !utf8.ValidString(name) {
		return strconv.QuoteToASCII(name)
	}
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsPrint(r) || unicode.Is(unicode.Mn, r) {
			return strconv.QuoteToASCII(name)
		}
	}
	return name
}
