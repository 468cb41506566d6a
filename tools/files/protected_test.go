package files

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/protected"
)

func TestEveryProtectedPlaceIsRefusedOrAskedAbout(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "src", "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	var create tools.Tool
	for _, tool := range Tools() {
		if tool.Name == "create_file" {
			create = tool
		}
	}
	try := func(row protected.Row, dir, name string, everywhere bool) {
		t.Helper()
		args, _ := json.Marshal(createArgs{Path: name, Content: "x"})
		call, err := create.Decode(args)
		if err != nil {
			t.Fatal(err)
		}
		env := tools.Env{Home: home, Dir: dir, Root: dir, Coding: true, Seen: &tools.Stamps{}, Progress: func(string) {}}
		judge := func(person bool, mode messages.Approval, allow ...string) tools.Verdict {
			permissions, err := tools.NewPermissions(allow, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			env := env
			env.Person, env.Approval = person, mode
			return permissions.Judge(call, env, args, false)
		}
		if _, err := call.Run(t.Context(), env); !errors.Is(err, box.ErrProtected) {
			t.Errorf("%s in %s is written unasked: %v", name, dir, err)
		}
		if row.Write == protected.Refused {
			env.Approved, env.Writes = true, []string{filepath.Join(dir, name)}
			if _, err := call.Run(t.Context(), env); !errors.Is(err, box.ErrProtected) {
				t.Errorf("%s is written: %v", name, err)
			}
			return
		}
		if got := judge(true, ""); got.Decision != tools.Ask || !got.Firm || len(got.Writes) != 1 {
			t.Errorf("%s in %s is not asked about: %+v", name, dir, got)
		}
		alone := judge(false, "", "create_file")
		_, after, _ := strings.Cut(alone.Advice, "in config.yaml: ")
		if alone.Decision != tools.Deny {
			t.Errorf("%s in %s runs without a person: %+v", name, dir, alone)
		} else if ruled := judge(false, "", after); ruled.Decision != tools.Allow || len(ruled.Writes) != 1 {
			t.Errorf("the rule %q does not allow %s in %s: %+v", after, name, dir, ruled)
		}
		if all := judge(false, messages.ApproveAll); (all.Decision == tools.Allow) != everywhere {
			t.Errorf("%s in %s, in the mode all: %+v", name, dir, all)
		}
	}
	for at, row := range protected.Home {
		for n, name := range row.Names {
			if testing.Short() && n > 0 && (at+n)%4 != 0 {
				continue // the jail's tests write to every place
			}
			strict := row
			for _, other := range protected.Home { // the strictest row counts
				for _, above := range other.Names {
					if other.Write == protected.Refused && (name == above || strings.HasPrefix(name, above+"/")) {
						strict = other
					}
				}
			}
			try(strict, home, name, false)
			try(strict, home, strings.ToUpper(name)+"/made/x", false)
		}
	}
	for _, row := range protected.Anywhere {
		for _, name := range row.Names {
			name = strings.ReplaceAll(name, "*", "x")
			try(row, project, name, true)
			try(row, project, "sub/"+strings.ToUpper(name), true)
		}
	}
	env := tools.Env{Home: home, Dir: project, Root: project, Coding: true, Seen: &tools.Stamps{}, Progress: func(string) {}}
	for _, name := range []string{"main.go", "Makefile", ".github/workflows/ci.yml", ".env", "vscode/tasks.json", ".claude/worktrees/x/main.go", ".marvin/notes/x.md", "bin/x", ".bashrc"} {
		args, _ := json.Marshal(createArgs{Path: name, Content: "x"})
		call, err := create.Decode(args)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := call.Run(t.Context(), env); err != nil {
			t.Errorf("%s is the project's own: %v", name, err)
		}
	}
}
