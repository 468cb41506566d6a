package gitwatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail/internal/disk"
)

// Each kind of file is restored as far as possible.
func TestEachKindIsPutBack(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "project")
	if err := errors.Join(os.MkdirAll(project+"/dir", 0o755), os.WriteFile(project+"/file", []byte("x"), 0o644), os.WriteFile(project+"/dir/f", []byte("1"), 0o644), os.Symlink("dir", project+"/link")); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(home, "project", name) }
	p := &Place{Write: []string{project}}
	for _, row := range []struct {
		was  shot
		says string
	}{
		{shot{path: in("link"), kind: fs.ModeSymlink, text: []byte("dir")}, ""},
		{shot{path: in("dir"), kind: fs.ModeDir}, ""},
		{shot{path: in("new/file"), text: []byte("y"), mode: 0o640}, ""},
		{shot{path: in("pipe"), kind: fs.ModeNamedPipe}, "it was no file"},
		{shot{path: in("file"), none: true}, ""},
	} {
		if err := row.was.putBack(p); (err == nil) != (row.says == "") || err != nil && err.Error() != row.says {
			t.Errorf("%s: %v", row.was.path, err)
		}
		if now := shoot(row.was.path); row.says == "" && (now.none != row.was.none || now.kind != row.was.kind || string(now.text) != string(row.was.text) || row.was.mode != 0 && now.mode != row.was.mode) {
			t.Errorf("%s is %+v", row.was.path, now)
		}
	}
	for _, name := range []string{"dir", "file"} {
		if !disk.Exists(in(name) + HeldAside) {
			t.Errorf("what was %s is not beside it", name)
		}
	}
	plain := shot{path: "/a", mode: 0o644, text: []byte("x")}
	for what, row := range map[string]struct {
		other shot
		same  bool
	}{
		"itself": {plain, true}, "another text": {shot{mode: 0o644, text: []byte("y")}, false}, "another mode": {shot{mode: 0o600, text: []byte("x")}, false}, "none": {shot{none: true}, false}, "a link": {shot{kind: fs.ModeSymlink, mode: 0o644, text: []byte("x")}, false},
	} {
		if plain.equal(row.other) != row.same {
			t.Errorf("%s is the same: %v", what, !row.same)
		}
	}
	if !(shot{kind: fs.ModeDir, mode: 0o755}).equal(shot{kind: fs.ModeDir, mode: 0o700}) {
		t.Error("the mode of a directory counts")
	}
	for path, want := range map[string]bool{"/g/hooks/x": true, "/g/hooks/deep/x": true, "/g/modules/m/config": true, "/g/modules/m/config.worktree": true, "/g/worktrees/w/commondir": true, "/g/worktrees/w/gitdir": true, "/g/modules/m/HEAD": false, "/g/modules/m/hooks/x": true, "/g/modules/m/hooksx/y": false} {
		dir := "/" + strings.Join(strings.Split(path, "/")[1:3], "/")
		if obeyed(dir, path) != want {
			t.Errorf("git obeys %s: %v", path, !want)
		}
	}
	gone := &Place{Write: []string{filepath.Join(home, "none")}}
	if err := (shot{path: filepath.Join(home, "none", "x")}).putBack(gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where the project is gone: %v", err)
	}
	for path, want := range map[string]string{home + "/outside": "it is outside the directories that commands may write to", project: "it is outside the directories that commands may write to", project + "/new/deep": ""} {
		err := shot{path: path, text: []byte("x"), mode: 0o600}.putBack(p)
		if want == "" && (err != nil || !disk.Exists(path)) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
