package toolstest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools"
)

// Local is a call of a talk (see goldentest.Talk) with tools that keep files below root, which is called
// ROOT in what is told. Besides the tools it knows "put PATH TEXT", where \n begins a line, "drop
// PATH", "show PATH" and "files". What is still open below root when the test ends fails it.
func Local(t *testing.T, root string, list []tools.Tool, env *tools.Env) func(tool, args string) (string, error) {
	t.Helper()
	t.Cleanup(func() { closed(t, root) })
	put := time.Unix(1_700_000_000, 0)
	return func(tool, args string) (text string, err error) {
		path, content, _ := strings.Cut(args, " ")
		path = filepath.Join(root, path)
		switch tool {
		case "put":
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				put = put.Add(time.Second) // the newest are told first
				err = errors.Join(os.WriteFile(path, []byte(strings.ReplaceAll(content, `\n`, "\n")), 0o644), os.Chtimes(path, put, put))
			}
		case "drop":
			err = os.RemoveAll(path)
		case "show":
			var shown []byte
			shown, err = os.ReadFile(path)
			text = string(shown)
		case "files":
			text, err = tree(root)
		default:
			text, err = Call(t, list, *env, tool, args)
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), root, "ROOT"))
		}
		return strings.ReplaceAll(text, root, "ROOT"), err
	}
}

// tree is each file below a directory with its size.
func tree(root string) (string, error) {
	var text strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fmt.Fprintf(&text, "%s %d\n", strings.TrimPrefix(path, root+string(filepath.Separator)), info.Size())
		}
		return err
	})
	return text.String(), err
}

// closed fails the test for files below a directory that this process still has open, where
// the system shows that.
func closed(t *testing.T, root string) {
	t.Helper()
	const own = "/proc/self/fd"
	entries, err := os.ReadDir(own)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path, err := os.Readlink(filepath.Join(own, entry.Name()))
		if err == nil && (path == root || strings.HasPrefix(path, root+string(filepath.Separator))) {
			t.Errorf("%s is left open", path)
		}
	}
}
