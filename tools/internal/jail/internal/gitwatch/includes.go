package gitwatch

import (
	"os"
	"path/filepath"
	"strings"
)

// These are the limits for following includes in a git configuration. The depth is git's own limit.
const (
	mostIncludeDepth = 10
	mostIncludes     = 100
	mostConfig       = 1 << 20 // the maximum file size in bytes
)

// Included returns the files that the configuration files in commonDir include.
func Included(commonDir, home string) []string {
	if commonDir == "" {
		return nil
	}
	return append(Includes(filepath.Join(commonDir, "config"), home), Includes(filepath.Join(commonDir, "config.worktree"), home)...)
}

// Includes returns the files that a configuration includes, directly or indirectly. Missing files
// are listed, and the conditions of includeIf are ignored.
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

// includedBy returns the paths that one file includes, or nil if the file is too large or is not a
// readable regular file.
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
			line = rest // a setting may follow the section's name on the same line
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

// header returns the lowercase section name, and the rest of the line.
func header(line string) (section, rest string) {
	quoted, escaped := false, false
	for i, letter := range line {
		switch {
		case escaped:
			escaped = false
		case letter == '\\' && quoted:
			escaped = true
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

// included returns the file named by a path setting, or "" if the value is empty or cannot be
// expanded.
func included(file, value, home string) string {
	var path strings.Builder
	quoted, escaped := false, false
	for _, letter := range strings.TrimSpace(value) {
		switch {
		case escaped:
			path.WriteRune(letter) // \n, \t and \b are not decoded; paths do not contain them
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
	rest, ofHome := strings.CutPrefix(path, "~/")
	// This assumes that the home directory is named after the user.
	if named, below := strings.CutPrefix(path, "~"+filepath.Base(home)+"/"); below && home != "" {
		rest, ofHome = named, true
	}
	switch {
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
