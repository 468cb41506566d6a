package jail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is put back, of each kind, and what of it cannot be.
func TestEachKindIsPutBack(t *testing.T) {
	k, home := scene{files: "project/file=x project/dir/f=1 project/link->dir"}.keeperOf(t)
	in := func(name string) string { return filepath.Join(home, "project", name) }
	j := &Jail{keeper: k, plan: plan{Write: []string{filepath.Join(home, "project")}}}
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
		if err := row.was.putBack(j); (err == nil) != (row.says == "") || err != nil && err.Error() != row.says {
			t.Errorf("%s: %v", row.was.path, err)
		}
		if now := shoot(row.was.path); row.says == "" && (now.none != row.was.none || now.kind != row.was.kind || string(now.text) != string(row.was.text) || row.was.mode != 0 && now.mode != row.was.mode) {
			t.Errorf("%s is %+v", row.was.path, now)
		}
	}
	for _, name := range []string{"dir", "file"} {
		if !exists(in(name) + heldAside) {
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
		if plain.same(row.other) != row.same {
			t.Errorf("%s is the same: %v", what, !row.same)
		}
	}
	if !(shot{kind: fs.ModeDir, mode: 0o755}).same(shot{kind: fs.ModeDir, mode: 0o700}) {
		t.Error("the mode of a directory counts")
	}
	for path, want := range map[string]bool{"/g/hooks/x": true, "/g/hooks/deep/x": true, "/g/modules/m/config": true, "/g/modules/m/config.worktree": true, "/g/worktrees/w/commondir": true, "/g/worktrees/w/gitdir": true, "/g/modules/m/HEAD": false, "/g/modules/m/hooks/x": true, "/g/modules/m/hooksx/y": false} {
		dir := "/" + strings.Join(strings.Split(path, "/")[1:3], "/")
		if obeyed(dir, path) != want {
			t.Errorf("git obeys %s: %v", path, !want)
		}
	}
	gone := &Jail{keeper: k, plan: plan{Write: []string{filepath.Join(home, "none")}}}
	if err := (shot{path: filepath.Join(home, "none", "x")}).putBack(gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where the project is gone: %v", err)
	}
	j.watch.tell(j, "/a", nil)
	j.watch.tell(j, "/a", nil)
	j.watch.tell(j, "/b", errors.New("no room"))
	if got := k.PutRight(); got != "/a; /b (it could not be put right: no room)" || k.PutRight() != "" {
		t.Errorf("%q", got)
	}
}

// The private directory of a Marvin is made anew and locked; those of others stay as long as
// they are needed.
func TestThePrivateDirectoryOfEachMarvin(t *testing.T) {
	in := t.TempDir()
	first, err := newTempDir(in, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(first.path); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(first.path) != first.whole || !strings.HasPrefix(filepath.Base(first.whole), tempPrefix) {
		t.Errorf("%s: %v, %v", first.path, info, err)
	}
	if othersEnded(first.whole) {
		t.Error("alone it is said that another ended")
	}
	left := filepath.Join(in, tempPrefix+"left")
	if err := errors.Join(os.MkdirAll(filepath.Join(left, tempName), 0o700), os.MkdirAll(filepath.Join(in, tempPrefix+"new"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(left, "lock"), nil, 0o600), os.WriteFile(filepath.Join(in, "other"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if !othersEnded(first.whole) {
		t.Error("nobody sees that another ended")
	}
	second, err := newTempDir(in, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{left: false, first.whole: true, filepath.Join(in, tempPrefix+"new"): true, filepath.Join(in, "other"): true} {
		if exists(path) != want {
			t.Errorf("%s is there: %v", path, !want)
		}
	}
	if othersEnded(first.whole) {
		t.Error("a Marvin that lives is said to have ended")
	}
	if err := errors.Join(first.remove(), second.remove()); err != nil || exists(first.whole) || exists(second.whole) {
		t.Errorf("they are left, %v", err)
	}
	if _, err := newTempDir(filepath.Join(in, "none"), func(string) {}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is no place: %v", err)
	}
	if _, err := newTempDir(filepath.Join(in, "other"), func(string) {}); err == nil {
		t.Error("it is made in a file")
	}
	sweep(filepath.Join(in, "none"), func(string) {})
	sweep(filepath.Join(in, "other"), func(string) {})
	if !othersEnded(filepath.Join(in, "none", "x")) {
		t.Error("where nothing can be seen nobody ended")
	}
	k := NewKeeper(Config{Temp: filepath.Join(in, "none")})
	if _, err := k.Jail(in); err == nil || !strings.HasPrefix(err.Error(), "make the private temporary directory: ") {
		t.Errorf("%v", err)
	}
	var ends unsettled
	done, waits := make(chan struct{}), make(chan struct{})
	close(done)
	for _, one := range []chan struct{}{done, done, waits, done} {
		ends.add(one)
	}
	if len(ends.all) != 2 || closed(waits) || !closed(done) {
		t.Errorf("%d ends are kept", len(ends.all))
	}
	k = NewKeeper(Config{})
	k.holds.unsettled.add(done)
	k.Settle()
	(*Keeper)(nil).Settle()
}
