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

// OtherNames finds other names (hard links) of files in and below directories, breadth first. It
// skips directories whose content can be regenerated.
func OtherNames(of []string, in []string) (found []string) {
	var files []os.FileInfo
	known := map[string]bool{}
	for _, path := range of {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && NamesOf(info) > 1 {
			files = append(files, info)
		}
		known[path] = true
	}
	if len(files) == 0 {
		return nil
	}
	queue, names := append([]string(nil), in...), 0
	for at := 0; at < len(queue) && at < mostSearched && names < mostNames; at++ {
		entries, _ := os.ReadDir(queue[at]) // commands cannot list what Marvin cannot list
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
			for _, one := range files {
				if os.SameFile(one, info) {
					known[path], found = true, append(found, path)
				}
			}
		}
	}
	return found
}

// Remade reports whether the content of a directory with this name can be regenerated.
func Remade(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", "venv", ".venv", "__pycache__":
		return true
	}
	return false
}
