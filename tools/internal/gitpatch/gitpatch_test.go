package gitpatch_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/gitpatch"
)

// git applies the patches, forward and backward, at the top of a repository and below it.
func TestGitAppliesAPatchForwardAndBack(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	long := strings.Repeat("a line\n", 4)
	random := make([]byte, 3000)
	for i := range random {
		random[i] = byte(rand.IntN(256))
	}
	random[0] = 0
	for _, row := range []struct {
		what string
		file gitpatch.File
	}{
		{"an edit", text("a.txt", "1\n2\n3\n", "1\ntwo\n3\n")},
		{"two places", text("a.txt", "1\n"+long+long+"2\n", "one\n"+long+long+"two\n")},
		{"no line break at the end", text("a.txt", "1\n2", "1\ntwo")},
		{"a line break is added", text("a.txt", "1\n2", "1\n2\n")},
		{"line ends of Windows", text("a.txt", "1\r\n2\r\n", "1\r\ntwo\r\n")},
		{"all lines go", text("a.txt", "1\n", "")},
		{"lines like heads", text("a.txt", "-- a\n++ b\n", "++ b\n-- a\n@@ -1 +1 @@\n")},
		{"not UTF-8", text("a.txt", "caf\xe9\n", "caf\xe8\n")},
		{"a new file", made("new.txt", "1\n2", 0o644)},
		{"a new program", made("run.sh", "#!/bin/sh\n", 0o755)},
		{"a new empty file", made("empty", "", 0o644)},
		{"a deleted file", gitpatch.File{Was: "old", Name: "old", Before: []byte("1\n"), BeforeMode: 0o644}},
		{"a deleted program", gitpatch.File{Was: "old", Name: "old", Before: []byte("1\n"), BeforeMode: 0o755}},
		{"only a mode", gitpatch.File{Was: "run", Name: "run", Before: []byte("1\n"), After: []byte("1\n"), BeforeMode: 0o644, AfterMode: 0o755}},
		{"a moved file", gitpatch.File{Was: "old", Name: "to/new", Before: []byte(long), After: []byte(long), BeforeMode: 0o644, AfterMode: 0o644}},
		{"a moved file that changed", gitpatch.File{Was: "old", Name: "to/new", Before: []byte(long), After: []byte(long + "more\n"), BeforeMode: 0o644, AfterMode: 0o755}},
		{"bytes", gitpatch.File{Was: "b.bin", Name: "b.bin", Before: random, After: random[:1000], BeforeMode: 0o644, AfterMode: 0o644}},
		{"new bytes", made("b.bin", string(random), 0o644)},
		{"a name with blanks", text("with some blanks.txt", "1\n", "2\n")},
		{"a new file with blanks", made("new with blanks", "", 0o644)},
		{"a name in quotes", text("say \"a\"\\b\tc.txt", "1\n", "2\n")},
		{"another alphabet", text("größe.txt", "1\n", "2\n")},
	} {
		for _, below := range []string{"", "sub/deep"} {
			t.Run(row.what+" in "+below, func(t *testing.T) {
				t.Parallel()
				top := t.TempDir()
				run(t, top, "", "git", "init", "-q", ".")
				file, dir := row.file, filepath.Join(top, below)
				file.Below = below
				put(t, filepath.Join(dir, file.Was), file.Before, file.BeforeMode)
				patch := file.Patch()
				run(t, dir, patch, "git", "apply", "-")
				holds(t, filepath.Join(dir, file.Name), file.After, file.AfterMode)
				run(t, dir, patch, "git", "apply", "-R", "-")
				holds(t, filepath.Join(dir, file.Was), file.Before, file.BeforeMode)
			})
		}
	}
}

// One hunk is removed from a change, and the others stay.
func TestAPartIsTakenOut(t *testing.T) {
	gap, next := "a\nb\nc\nd\ne\nf\ng\nh\n", "i\nj\nk\nl\nm\nn\no\np\n"
	file := text("a", "1\n"+gap+"2\n"+next+"3", "one\n"+gap+"2\n2b\n"+next)
	hunks := file.Hunks()
	if len(hunks) != 3 {
		t.Fatalf("%v", hunks)
	}
	for i, want := range []string{"1\n" + gap + "2\n2b\n" + next, "one\n" + gap + "2\n" + next, "one\n" + gap + "2\n2b\n" + next + "3"} {
		if got := string(file.Undo(hunks[i])); got != want {
			t.Errorf("without %d: %q, want %q", i, got, want)
		}
	}
	fresh := made("new", "1\n", 0o644)
	if got := fresh.Undo(fresh.Hunks()[0]); got != nil {
		t.Errorf("a new file without its lines holds %q", got)
	}
}

func text(name, before, after string) gitpatch.File {
	return gitpatch.File{Was: name, Name: name, Before: []byte(before), After: []byte(after), BeforeMode: 0o644, AfterMode: 0o644}
}

func made(name, content string, mode fs.FileMode) gitpatch.File {
	return gitpatch.File{Was: name, Name: name, After: []byte(content), AfterMode: mode}
}

func put(t *testing.T, path string, content []byte, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if content != nil {
		if err := os.WriteFile(path, content, mode); err != nil {
			t.Fatal(err)
		}
	}
}

func holds(t *testing.T, path string, want []byte, mode fs.FileMode) {
	t.Helper()
	content, err := os.ReadFile(path)
	if want == nil {
		if err == nil {
			t.Errorf("%s is there", path)
		}
		return
	}
	if err != nil || !bytes.Equal(content, want) {
		t.Errorf("%s holds %q, %v, want %q", path, content, err, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&0o100 != mode&0o100 {
		t.Errorf("%v, want mode %o (%v)", info, mode, err)
	}
}

func run(t *testing.T, dir, input string, args ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), args[0], args[1:]...)
	command.Dir, command.Stdin = dir, strings.NewReader(input)
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s\n%s", args, err, out, input)
	}
}
