// Package lines writes shell lines for simple requests, such as deleting a file or listing the
// programs that use the most memory.
package lines

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// Delete returns a shell line that deletes a file. The line fails for a directory.
func Delete(path string) string { return "rm -- " + quote(path) }

// Rename returns a shell line that renames a file. The line never overwrites an existing file.
func Rename(from, to string) string { return "mv -n -- " + quote(from) + " " + quote(to) }

// fixedLines contains the shell lines that need no value. They run on Linux and macOS.
var fixedLines = map[string]string{
	"disk":      "du -h -d 1 . | sort -rh | head -n 15",
	"processes": "ps -eo pid,pcpu,pmem,comm | sort -k2 -rn | head -n 12",
	"memory":    "ps -eo pid,pmem,pcpu,comm | sort -k2 -rn | head -n 12",
	"files":     "find . -type f -not -path '*/.git/*' | wc -l",
	"listing":   "ls -la",
	"hidden":    "ls -A",
	"newest":    "ls -lt | head -n 15",
	"biggest":   "find . -type f -not -path '*/.git/*' -exec du -h {} + | sort -rh | head -n 10",
	"today":     "find . -type f -not -path '*/.git/*' -mtime -1 | head -n 50",
	"user":      "whoami",
	"host":      "hostname",
	"remotes":   "git remote -v",
	"show":      "git show --stat",
	"tags":      "git tag --list",
	"stashes":   "git stash list",
	"vet":       "go vet ./...",
}

// Line returns the line with this name, filled with the values of a request. It returns false if a
// value is missing or the name is unknown.
func Line(name string, values map[string]any) (string, bool) {
	path, _ := values["path"].(string)
	to, _ := values["to"].(string)
	switch name {
	case "delete":
		return Delete(path), path != ""
	case "rename":
		return Rename(path, to), path != "" && to != ""
	case "copy":
		return "cp -n -- " + quote(path) + " " + quote(to), path != "" && to != ""
	case "folder":
		return "mkdir -- " + quote(path), path != ""
	case "size":
		path = cmp.Or(path, ".")
		return "du -sh -- " + quote(path), true
	case "larger":
		size, _ := values["size"].(string)
		return "find . -type f -not -path '*/.git/*' -size +" + size + " -exec du -h {} + | sort -rh | head -n 50", size != ""
	case "checksum":
		algorithm, _ := values["algorithm"].(string)
		algorithm = cmp.Or(algorithm, "sha256")
		return algorithm + "sum -- " + quote(path), path != ""
	case "words":
		return "wc -w -- " + quote(path), path != ""
	case "stage":
		return "git add -- " + quote(path), path != ""
	case "tail":
		return "tail -n 20 -- " + quote(path), path != ""
	}
	line, ok := fixedLines[name]
	return line, ok
}

var (
	plain   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w@%+=:,./][\w@%+=:,./-]*$`) })
	written = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:mv -n|cp -n|du -sh|wc -w|tail -n 20|\w+sum) -- .*?('(?:[^']|'\\'')*'|\S+)$`)
	})
	removal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^rm -- ('(?:[^']|'\\'')*'|\S+)$`) })
)

func quote(text string) string {
	if plain().MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func unquote(word string) string {
	if inner, ok := strings.CutPrefix(word, "'"); ok {
		return strings.ReplaceAll(strings.TrimSuffix(inner, "'"), `'\''`, "'")
	}
	return word
}

// Path returns the path that a shell line from this package reads. For a copy or a rename, Path
// returns the new path.
func Path(line string) (string, bool) { return found(written(), line) }

// RemovedPath returns the path that a shell line from [Delete] removes.
func RemovedPath(line string) (string, bool) {
	return found(removal(), line)
}

func found(shape *regexp.Regexp, line string) (string, bool) {
	match := shape.FindStringSubmatch(line)
	if match == nil {
		return "", false
	}
	return unquote(match[1]), true
}
