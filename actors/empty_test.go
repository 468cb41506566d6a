package actors_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// An empty result is stored as empty; a failed call never counts as empty.
func TestEmptyResultIsRecordedAsEmpty(t *testing.T) {
	home := t.TempDir()
	finds := tool("finds", func(context.Context, tools.Env) (tools.Output, error) { return tools.NoResults("nothing here"), nil })
	fails := tool("fails", func(context.Context, tools.Env) (tools.Output, error) {
		return tools.NoResults("nothing there"), errors.New("the disk is gone")
	})
	server := modeltest.Start(t, modeltest.Calls(modeltest.Call{Name: "finds"}, modeltest.Call{Name: "fails"}), modeltest.Text("done"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Coding: true}, Tools: []tools.Tool{finds, fails}, Keep: begins})
	tree.Prompt("look")
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	var kept []string
	err := filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") && strings.Contains(path, "sessions") {
			data, failed := os.ReadFile(path)
			kept, err = append(kept, strings.Split(string(data), "\n")...), failed
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(kept, "\n")
	if strings.Count(all, `"empty":true`) != 1 || !strings.Contains(all, "the disk is gone") || !strings.Contains(all, `"text":"nothing here","status":"ok","empty":true`) {
		t.Errorf("kept is %s", all)
	}
}
