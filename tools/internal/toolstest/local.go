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

// Local returns a command for goldentest.Transcript. The command executes "put PATH TEXT",
// "drop PATH", "show PATH" or "files", or calls a tool. In TEXT, "\n" means a newline. Results
// contain ROOT instead of the test directory's path. The test fails if a tool leaves a file in that
// directory open.
func Local(t *testing.T, root string, list []tools.Tool, env *tools.Env) func(tool, args string) (string, error) {
	t.Helper()
	put := time.Unix(1_700_000_000, 0)
	return func(tool, args string) (text string, err error) {
		path, content, _ := strings.Cut(args, " ")
		path = filepath.Join(root, path)
		switch tool {
		case "put":
			if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
				put = put.Add(time.Second) // find_files lists the newest file first
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
			NothingOpen(t, root, tool+" "+args)
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), root, "ROOT"))
		}
		return strings.ReplaceAll(text, root, "ROOT"), err
	}
}

// tree returns the paths and sizes of all files below root.
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
