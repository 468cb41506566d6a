package gitwatch

import (
	"os"
	"path/filepath"
	"strings"
)

// Limits for following git's includes: its own depth, and files.
const (
	mostIncludeDepth = 10
	mostIncludes     = 100
	mostConfig       = 1 << 20 // bytes of one file; git's own are some hundred
)

// Included are the files from which git takes settings in a repository because its own
// configuration says so, wherever they are. Common is the directory of that.
func Included(common, home string) []string {
	if common == "" {
		return nil
	}
	return append(Includes(filepath.Join(common, "config"), home), Includes(filepath.Join(common, "config.worktree"), home)...)
}

// Includes are the files from which git takes settings because a configuration says so,
// also those that are not there, and those of conditions that do not hold now.
func Includes(config, home string) []string {
	var found []string
	seen := map[string]bool{config: true}
	level := []string{config}
	for range mostIncludeDepth {
		var next []string
		for _, file := range level {
			for _, path := range includedBy(file, home) {
				if !seen[path] && len(found) < mostIncludes {
					seen[path] = true
					found, next = append(found, path), append(next, path)
				}
			}
		}
		level = next
	}
	return found
}

// includedBy reads one file, as far as it is a configuration.
func includedBy(file, home string) []string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostConfig {
		return nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var paths []string
	inside := false
	lines := strings.Split(strings.ReplaceAll(string(content), "\\\n", ""), "\n")
	for _, line := range lines {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if strings.HasPrefix(line, "[") {
			section, rest := header(line)
			inside = section == "include" || section == "includeif"
			line = rest // a setting may follow in the same line
		}
		name, value, ok := strings.Cut(line, "=")
		if !inside || !ok || !strings.EqualFold(strings.TrimSpace(name), "path") {
			continue
		}
		if path := included(file, value, home); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// header is the name of a section in small letters, and what follows it in the line.
func header(line string) (section, rest string) {
	quoted := false
	for i, letter := range line {
		switch {
		case letter == '"':
			quoted = !quoted
		case letter == ']' && !quoted:
			section, _, _ = strings.Cut(line[1:i], " ")
			section, _, _ = strings.Cut(section, "\t")
			return strings.ToLower(strings.Trim(section, `"`)), strings.TrimSpace(line[i+1:])
		}
	}
	return "", ""
}

// included is the path that a value means; "" if none.
func included(file, value, home string) string {
	var path strings.Builder
	quoted, escaped := false, false
	for _, letter := range strings.TrimSpace(value) {
		switch {
		case escaped:
			path.WriteRune(letter) // of \n, \t and \b no path is made
			escaped = false
		case letter == '\\':
			escaped = true
		case letter == '"':
			quoted = !quoted
		case !quoted && (letter == '#' || letter == ';'):
			return expanded(file, strings.TrimSpace(path.String()), home)
		default:
			path.WriteRune(letter)
		}
	}
	return expanded(file, strings.TrimSpace(path.String()), home)
}

func expanded(file, path, home string) string {
	switch rest, ofHome := strings.CutPrefix(path, "~/"); {
	case path == "" || strings.HasPrefix(path, "%("):
		return ""
	case ofHome && home == "":
		return ""
	case ofHome:
		return filepath.Join(home, rest)
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(file), path)
}
