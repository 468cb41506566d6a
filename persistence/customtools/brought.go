package customtools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Stamp returns a string that changes when the files that define a project's extensions change.
// These files are the configuration, the list of accepted extensions, the user's own tools, the
// project's tools, and the given files, whose names are relative to the project's directory. The
// string depends on the modes, sizes and modification times of the files, not on their contents.
func (b ProjectTools) Stamp(files []string) string {
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

// AnywhereAccepted reports whether the user has a tool with the given name, or has accepted such a
// tool from any project. It checks only whether the tool's folder exists.
func (b ProjectTools) AnywhereAccepted(name string) bool {
	if b.Home.State == "" || !isToolName(name) {
		return false
	}
	if _, err := os.Stat(filepath.Join(Dir(b.Home), name)); err == nil {
		return true
	}
	found, err := filepath.Glob(filepath.Join(Dir(b.Home), ".accepted", "*", "*", name))
	return err == nil && len(found) > 0
}
