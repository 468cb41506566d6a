package customtools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Stamp stands for the state of the files that say what others bring: config.yaml, what was
// accepted of projects, the user's own tools, and in the directory the files with these names
// and the tools of the project. It opens no file; two stamps that differ say that something
// was written since.
func (b Brought) Stamp(files []string) string {
	h, dir := b.Home, b.Dir
	var stamp strings.Builder
	note := func(path string) {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintln(&stamp, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
	}
	folders := func(path string, most int) {
		note(path)
		entries, err := os.ReadDir(path)
		if err != nil {
			return
		}
		for _, entry := range entries[:min(len(entries), most)] {
			note(filepath.Join(path, entry.Name()))
			note(filepath.Join(path, entry.Name(), Manifest))
		}
	}
	if h.State != "" {
		note(h.Path("config.yaml"))
		note(h.Path("mcp.json"))
		folders(Dir(h), mostTools)
	}
	if dir != "" {
		for _, name := range files {
			note(filepath.Join(dir, name))
		}
		folders(filepath.Join(dir, ProjectDir), mostOfferedTools)
	}
	return stamp.String()
}

// AnywhereAccepted says whether a tool of that name was accepted in any project, or is one
// of the user's own that cannot be used now.
func (b Brought) AnywhereAccepted(name string) bool {
	if b.Home.State == "" || !isToolName(name) {
		return false
	}
	if _, err := os.Stat(filepath.Join(Dir(b.Home), name)); err == nil {
		return true
	}
	found, err := filepath.Glob(filepath.Join(Dir(b.Home), ".accepted", "*", "*", name))
	return err == nil && len(found) > 0
}
