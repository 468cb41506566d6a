package disk

import (
	"os"
	"path/filepath"
)

// These are the limits of one search for hard links.
const (
	mostSearched = 1500 // directories
	mostNames    = 30_000
)

// OtherNames searches dirs, breadth first, for other hard links to the given files. It skips
// directories for which [Remade] returns true.
func OtherNames(files []string, dirs []string) (found []string) {
	var linked []os.FileInfo
	known := map[string]bool{}
	for _, path := range files {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && NamesOf(info) > 1 {
			linked = append(linked, info)
		}
		known[path] = true
	}
	if len(linked) == 0 {
		return nil
	}
	queue, names := append([]string(nil), dirs...), 0
	for at := 0; at < len(queue) && at < mostSearched && names < mostNames; at++ {
		entries, _ := os.ReadDir(queue[at]) // if Marvin cannot list it, commands cannot either
		for _, entry := range entries {
			path := filepath.Join(queue[at], entry.Name())
			if names++; entry.IsDir() {
				if !Remade(entry.Name()) {
					queue = append(queue, path)
				}
				continue
			}
			info, err := entry.Info()
			if err != nil || !info.Mode().IsRegular() || NamesOf(info) < 2 || known[path] {
				continue
			}
			for _, one := range linked {
				if os.SameFile(one, info) {
					known[path], found = true, append(found, path)
				}
			}
		}
	}
	return found
}

// Remade reports whether a directory with this name belongs to a version control system or has
// content that can be regenerated. Searches and copies skip such directories.
func Remade(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", "venv", ".venv", "__pycache__":
		return true
	}
	return false
}
