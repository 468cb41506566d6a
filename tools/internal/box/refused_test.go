package box

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// operations are all methods that take a name, each returning its error.
func operations(dir *Dir) map[string]func(name string) error {
	batch := func(do func(b *Batch, name string) error) func(string) error {
		return func(name string) error { return do(dir.Batch(), name) }
	}
	return map[string]func(string) error{
		"open":     func(name string) error { _, err := dir.Open(name); return err },
		"stat":     func(name string) error { _, err := dir.Stat(name); return err },
		"list":     func(name string) error { _, err := dir.List(name); return err },
		"mkdir":    func(name string) error { _, err := dir.Mkdir(name); return err },
		"rmdir":    dir.Rmdir,
		"locate":   func(name string) error { _, _, err := dir.Locate(name); return err },
		"readlink": func(name string) error { _, err := dir.Readlink(name); return err },
		"sub":      func(name string) error { _, err := dir.Sub("Notes", name, true); return err },
		"read":     batch(func(b *Batch, name string) error { _, err := b.Read(name); return err }),
		"write":    batch(func(b *Batch, name string) error { return b.Write(name, nil) }),
		"create":   batch(func(b *Batch, name string) error { return b.Create(name, nil) }),
		"mode":     batch(func(b *Batch, name string) error { return b.SetMode(name, 0o600) }),
		"remove":   batch(func(b *Batch, name string) error { return b.Remove(name) }),
		"rename":   batch(func(b *Batch, name string) error { return b.Rename(name, "free") }),
		"move to":  batch(func(b *Batch, name string) error { return b.Rename("f", name) }),
	}
}

// Every operation refuses names that lead outside, invalid names, and all names in a closed
// directory.
func TestEveryOperationRefuses(t *testing.T) {
	root := tree(t, map[string]string{"f": "x", "d/": ""})
	must(t, os.Symlink("/etc", filepath.Join(root, "out")))
	must(t, os.Symlink("loop", filepath.Join(root, "loop")))
	dir := open(t, root)
	long := strings.Repeat("x", 300)
	for operation, do := range operations(dir) {
		for name, says := range map[string]string{
			"../x": "../x is outside of the directory\n", "out/x": "out/x: out is a symbolic link to /etc, which is outside of the directory\n", "": "the path is empty\n", "a\x00b": "the path \"a\\x00b\" contains a NUL byte\n",
			"~": "~ is outside of the directory: ~ stands for the home directory\n", "~/x": "~/x is outside", "d/../../x": "d/../../x is outside", "none/..": "none/.. is outside", ".tickets/1": ".tickets/1 is protected: tickets are not edited as files\n",
			"loop": "loop goes through more than 40 symbolic links\n", long: "look at " + long + ": file name too long\n", "f/x": "f/x: f is a file, not a directory\n", "/etc/passwd": "/etc/passwd is outside of the directory\n",
		} {
			err := do(name)
			if operation == "readlink" && name == "loop" {
				continue // reading is allowed
			}
			if err == nil || operation != "readlink" && !strings.HasPrefix(err.Error(), says) {
				t.Errorf("%s of %.40q: %v", operation, name, err)
			}
		}
	}
	for _, row := range []struct{ name, says string }{{"f", "read link f: "}, {"none", "read link none: "}} {
		if _, err := dir.Readlink(row.name); err == nil || !strings.HasPrefix(err.Error(), row.says) || strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if target, err := dir.Readlink("out"); target != "/etc" || err != nil {
		t.Errorf("%q, %v", target, err)
	}
	must(t, dir.Close())
	for operation, do := range operations(dir) {
		for _, name := range []string{"f", "."} {
			if err := do(name); err == nil {
				t.Errorf("%s of %s in the closed directory", operation, name)
			}
		}
	}
	if _, err := dir.descend(nil, false, nil); err == nil || !strings.HasPrefix(err.Error(), "open "+root+": ") {
		t.Errorf("%v", err)
	}
	if got := dir.overview(); got != "Working directory: "+root+" (empty)" {
		t.Errorf("%s", got)
	}
}

func TestReplacedPathIsNotOpened(t *testing.T) {
	root := tree(t, map[string]string{"f": "12345", "d/": ""})
	must(t, os.Symlink("d", filepath.Join(root, "link")))
	opened, err := os.OpenRoot(root)
	must(t, err)
	for _, row := range []struct {
		name   string
		create bool
		says   string
		fresh  bool
	}{
		{"d", false, "", false},
		{"d", true, "", false},
		{"new", true, "", true},
		{"new", true, "", false},
		{"none", false, "no such file or directory", false},
		{"f", true, "it changed since it was read: it is a file now", false},
		{"link", false, "it changed since it was read: it is a symbolic link now", false},
	} {
		next, fresh, err := enter(opened, row.name, row.create)
		if fresh != row.fresh || (err == nil) != (row.says == "") || err != nil && !strings.HasSuffix(err.Error(), row.says) {
			t.Errorf("%s: made %v, %v", row.name, fresh, err)
		}
		if next != nil {
			must(t, next.Close())
		}
	}
	for name, says := range map[string]string{"f": "", "none": "no such file or directory", "d": "it is a directory: not a regular file", "link": "it is a symbolic link: not a regular file"} {
		file, err := openRegular(opened, name)
		if (err == nil) != (says == "") || err != nil && err.Error() != says {
			t.Errorf("%s: %v", name, err)
		}
		if file == nil {
			continue
		}
		for limit, fits := range map[int64]bool{4: false, 5: true} {
			_, err := file.Seek(0, 0)
			must(t, err)
			if content, err := readAll(file, limit); fits && (string(content) != "12345" || err != nil) || !fits && (!errors.Is(err, ErrTooLarge) || err.Error() != "more than 4 bytes: too large") {
				t.Errorf("up to %d bytes: %q, %v", limit, content, err)
			}
		}
		must(t, file.Close())
		if _, err := readAll(file, 5); err == nil {
			t.Error("what is closed was read")
		}
	}
	must(t, opened.Close())
	if _, _, err := enter(opened, "fresh", true); err == nil {
		t.Error("it was made in the closed directory")
	}
	for name, want := range map[string]bool{".git": true, ".GIT": true, ".git ": true, ".git. .": true, ".g\u200bit": true, ".git:x": true, "git": false, ".gitx": false, " .git": false, "": false} {
		if sameName(name, ".git") != want {
			t.Errorf("%q is .git: %v", name, !want)
		}
	}
}

// A path may contain up to the maximal number of links, but not one more.
func TestChainsOfLinks(t *testing.T) {
	root := tree(t, map[string]string{"l0": "end", "d/x": "below"})
	for i := range maxLinks + 1 {
		must(t, os.Symlink(fmt.Sprint("l", i), filepath.Join(root, fmt.Sprint("l", i+1))))
	}
	must(t, os.Symlink(filepath.Join(root, "d"), filepath.Join(root, "absolute")))
	must(t, os.Symlink("../l0", filepath.Join(root, "d/up")))
	dir := open(t, root)
	for name, want := range map[string]string{fmt.Sprint("l", maxLinks): "end", "absolute/x": "below", "absolute/up": "end", "d/./../l0": "end", filepath.Join(root, "d", "x"): "below"} {
		if got, err := readFile(dir, name); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := readFile(dir, fmt.Sprint("l", maxLinks+1)); err == nil || !strings.HasPrefix(err.Error(), "l41 goes through more than 40 symbolic links\n") {
		t.Errorf("%v", err)
	}
	if info, err := dir.Stat("d/.."); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	if path, info, err := dir.Locate("absolute/../d/none"); path != "d/none" || info != nil || err != nil {
		t.Errorf("%s, %v, %v", path, info, err)
	}
	for path, want := range map[string]string{root: ".", filepath.Join(root, "d", "x"): "d/x", root + "x": root + "x", "d": "d", "/": "/"} {
		if got := dir.Local(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

func TestFilesChangedSinceBatch(t *testing.T) {
	for _, row := range []struct {
		what string
		do   func(t *testing.T, root string)
		says string
	}{
		{"a file that is gone", func(t *testing.T, root string) { must(t, os.Remove(filepath.Join(root, "d/f"))) }, "nothing was changed: d/f: it changed since it was read: it is gone"},
		{"its directory too", func(t *testing.T, root string) { must(t, os.RemoveAll(filepath.Join(root, "d"))) }, "nothing was changed: d/f: it changed since it was read: it is gone"},
		{"a directory in its place", func(t *testing.T, root string) {
			must(t, errors.Join(os.Remove(filepath.Join(root, "d/f")), os.Mkdir(filepath.Join(root, "d/f"), 0o755)))
		}, "nothing was changed: d/f: it is a directory: not a regular file"},
		{"a larger one", func(t *testing.T, root string) { must(t, os.Truncate(filepath.Join(root, "d/f"), MaxEdit+1)) }, "nothing was changed: d/f: it changed since it was read"},
		{"a longer one", func(t *testing.T, root string) {
			must(t, os.WriteFile(filepath.Join(root, "d/f"), []byte("xy"), 0o644))
		}, "nothing was changed: d/f: it changed since it was read"},
		{"one that is made now", func(t *testing.T, root string) { must(t, os.WriteFile(filepath.Join(root, "n"), nil, 0o644)) }, "nothing was changed: n: it changed since it was read: another program created it during the call"},
		{"one that was to go", func(t *testing.T, root string) { must(t, os.RemoveAll(filepath.Join(root, "e"))) }, "nothing was changed: cannot write e/f: open directory e: no such file or directory"},
		{"a file in the place of a directory", func(t *testing.T, root string) {
			must(t, os.WriteFile(filepath.Join(root, "new"), nil, 0o644))
		}, "nothing was changed: cannot write new/deep/f: open directory new: it changed since it was read: it is a file now"},
	} {
		root := tree(t, map[string]string{"d/f": "x", "e/f": "y"})
		batch := open(t, root).Batch()
		must(t, errors.Join(batch.Write("d/f", []byte("z")), batch.Create("n", nil), batch.Remove("e/f"), batch.Create("new/deep/f", nil)))
		row.do(t, root)
		if err := batch.Commit(context.Background()); err == nil || err.Error() != row.says {
			t.Errorf("%s: %v, want %s", row.what, err, row.says)
		}
		if info, err := os.Stat(filepath.Join(root, "new")); err == nil && info.IsDir() {
			t.Errorf("%s: a directory is left", row.what)
		}
		noLitter(t, root)
	}
	root := tree(t, map[string]string{"f": "x", "g": "y"})
	batch := open(t, root).Batch()
	batch.Loaded = func(path string, content []byte) error {
		if path != filepath.Join(root, "f") || string(content) != "x" {
			return nil
		}
		return errors.New("it was not read before")
	}
	if err := batch.Write("f", nil); err == nil || err.Error() != "f: it was not read before" || len(batch.Changes()) != 0 {
		t.Errorf("%v", err)
	}
	must(t, batch.Write("g", nil))
	if changes := batch.Changes(); len(changes) != 1 || changes[0].Name != "g" {
		t.Errorf("%+v", changes)
	}
}

func TestUndoFailuresAreReported(t *testing.T) {
	root := tree(t, map[string]string{"a": "1", "gone": "2"})
	dir := open(t, root)
	batch := dir.Batch()
	must(t, errors.Join(batch.Write("a", []byte("one")), batch.Create("made/n", []byte("n")), batch.Remove("gone")))
	c := &commit{dir: dir}
	for _, step := range batch.steps {
		must(t, c.stage(step))
	}
	must(t, c.swap())
	must(t, errors.Join(os.Remove(filepath.Join(root, "a")), os.WriteFile(filepath.Join(root, "gone"), []byte("3"), 0o644)))
	err := c.undo(3, errors.New("the next: no room"))
	const want = "only a part of the change was made, because of this error: the next: no room; these files could not be restored: gone (it changed since it was read: another program created it during the call), a (it changed since it was read: it is gone)"
	if err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if _, err := os.Stat(filepath.Join(root, "made")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was made is left: %v", err)
	}
	c.cleanUp()
	if err := c.undo(0, errors.New("x")); err.Error() != "nothing was changed: x" {
		t.Errorf("%v", err)
	}
	if err := c.staged[0].restore(); err == nil {
		t.Error("it was put back into what is closed")
	}
	if _, err := writeTemp(c.staged[0].parent, batch.steps[0].before, c.staged[0].parent, "x"); err == nil {
		t.Error("it was written into what is closed")
	}
	noLitter(t, root)
}
