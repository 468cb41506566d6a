package shell

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/undo"
)

// lonely returns an environment without a user, in a repository with tracked and untracked files.
func lonely(t *testing.T) (env tools.Env, data string) {
	t.Helper()
	env = confined(t)
	data = t.TempDir()
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Home: t.TempDir(), Data: data, Environ: env.Environ, Temp: t.TempDir()})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	if _, err := RunOwn(t.Context(), "git init -q . && echo committed > tracked && git add tracked && git -c user.name=n -c user.email=e commit -qm x; mkdir -p sub; for n in a b c sub/d; do echo text of $n > $n.txt; done; cp a.txt keep.log; echo c.txt > list; echo '*.o' > .gitignore", env.Dir, env.Environ, nil); err != nil {
		t.Fatal(err)
	}
	return env, data
}

func textsBelow(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			content, readErr := os.ReadFile(path)
			all.Write(content)
			err = readErr
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all.String()
}

func TestDestroyedFilesAreSaved(t *testing.T) {
	for _, row := range []struct{ line, lost string }{
		{"rm b.txt", "b.txt"},
		{"truncate -s 0 *.log", "keep.log"},
		{"shred -n 1 b.txt", "b.txt"},
		{": > b.txt", "b.txt"},
		{"xargs rm < list", "c.txt"},
		{"X='rm b.txt'; eval \"$X\"", "b.txt"},
		{"rm -rf sub", "sub/d.txt"},
		{"find . -name 'b.txt' -delete", "b.txt"},
		{"echo 'import os; os.remove(\"b.txt\")' > x.py; python3 x.py", "b.txt"},
		{"cp a.txt b.txt; sed -i s/text/other/ c.txt", "c.txt"},
		{"mv a.txt b.txt", "b.txt"},
		{"cp a.txt d.txt; mv -t sub d.txt", "sub/d.txt"},
		{"cp a.txt d.txt; cp -tsub d.txt", "sub/d.txt"},
		{"dd if=/dev/null of=b.txt 2>&1", "b.txt"},
		{"cp b.txt /tmp && rm b.txt", "b.txt"},
	} {
		t.Run(row.line, func(t *testing.T) {
			t.Parallel()
			env, data := lonely(t)
			want, err := os.ReadFile(filepath.Join(env.Dir, row.lost))
			if err != nil {
				t.Fatal(err)
			}
			args := `{"command":` + quoted(row.line) + `}`
			said, err := do(t, env, "run_command", args)
			if err != nil || said.Exit != 0 {
				t.Fatalf("%v: %s", err, said.Text)
			}
			if !strings.Contains(textsBelow(t, data), string(want)) {
				t.Errorf("what %s held is lost; told is %s", row.lost, said.Text)
			}
			if told := tools.SandboxNote(env.Sandbox); !strings.Contains(told, row.lost) || !strings.Contains(told, data) {
				t.Errorf("the user is told %q", told)
			}
		})
	}
}

func TestUndoRestoresDestroyedFiles(t *testing.T) {
	env, _ := lonely(t)
	journal := undolog.Of(persistence.Open(t.TempDir(), env.Now), "one")
	env.Person, env.Undo = true, &undo.Keeper{Journal: func() *undolog.Journal { return journal }, Turn: "1", Call: "c", Tool: "run_command"}
	said, err := do(t, env, "run_command", `{"command":"rm -r sub; shred b.txt; mv c.txt e.txt; echo more > new.txt; echo x >> tracked"}`)
	if err != nil || !strings.Contains(said.Text, "sub/d.txt") || !strings.Contains(said.Text, "/undo") || strings.Contains(said.Text, "c.txt") {
		t.Fatalf("%v: %s", err, said.Text)
	}
	plan, err := undo.Make(journal, env, undo.Request{})
	if err == nil {
		err = plan.Apply(t.Context(), journal, env)
	}
	for name, want := range map[string]string{"sub/d.txt": "text of sub/d\n", "b.txt": "text of b\n", "e.txt": "text of c\n"} {
		if got, _ := os.ReadFile(filepath.Join(env.Dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v: %s", name, got, err, plan.Report())
		}
	}
}

func TestUnsavableDestructionIsRefused(t *testing.T) {
	for line, refused := range map[string]bool{
		"rm big.bin": true, "truncate -s 0 *.bin": true, "xargs rm < list": true, "rm -rf ./*": true, "echo x > big.bin": true, "mv a.txt big.bin": true, "find . -name '*.bin' -delete": true, "rm a.o big.bin": true, "rm a.o big.o": false,
		"rm b.txt": false, "find . -name b.txt -delete": false, "cp a.txt sub": false, "rm big.o": false, "ls -l big.bin; wc -c big.bin": false, "mv big.bin other.bin": false, "cp big.bin copy.bin": false, "echo x > fresh": false,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			env, _ := lonely(t)
			if _, err := RunOwn(t.Context(), "truncate -s 9M big.bin big.o a.o", env.Dir, env.Environ, nil); err != nil {
				t.Fatal(err)
			}
			said, err := do(t, env, "run_command", `{"command":`+quoted(line)+`}`)
			if (err != nil) != refused {
				t.Fatalf("%v: %s", err, said.Text)
			}
			if info, statErr := os.Stat(filepath.Join(env.Dir, "big.bin")); refused && (statErr != nil || info.Size() != 9<<20 || !strings.Contains(err.Error(), "big.bin")) {
				t.Errorf("%v, %v", statErr, err)
			}
		})
	}
}

func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
