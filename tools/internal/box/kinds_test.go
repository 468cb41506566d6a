package box

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOperationsOnEachKind(t *testing.T) {
	root := tree(t, map[string]string{"file": "x", "dir/a": "1", "dir/b": "2", "empty/": "", "link target": "y"})
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	must(t, os.Symlink("dir", filepath.Join(root, "link")))
	must(t, os.Symlink("gone", filepath.Join(root, "dangling")))
	dir := open(t, root)
	said := func(done string, err error) string {
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			return strings.ReplaceAll(first, root, "ROOT")
		}
		return done
	}
	operations := map[string]func(name string) string{
		"stat": func(name string) string {
			info, err := dir.Stat(name)
			if err != nil {
				return said("", err)
			}
			return kindOf(info.Mode())
		},
		"list": func(name string) string {
			entries, err := dir.List(name)
			var names []string
			for _, entry := range entries {
				names = append(names, entry.Name())
			}
			return said(strings.Join(names, " "), err)
		},
		"mkdir": func(name string) string { return said(dir.Mkdir(name)) },
		"rmdir": func(name string) string { return said("removed", dir.Rmdir(name)) },
		"open":  func(name string) string { return said(readFile(dir, name)) },
		"sub": func(name string) string {
			sub, err := dir.Sub("Notes", name, false)
			if err != nil {
				return said("", err)
			}
			defer func() { _ = sub.Close() }()
			return strings.ReplaceAll(sub.Path()+" "+sub.Abs("x/y"), root, "ROOT")
		},
	}
	for _, row := range []struct{ operation, name, want string }{
		{"stat", "file", "a file"},
		{"stat", "dir", "a directory"},
		{"stat", "link", "a directory"},
		{"stat", "pipe", "a named pipe"},
		{"stat", "none", "look at none: file does not exist"},
		{"stat", "../x", "../x is outside of the directory"},
		{"list", ".", "dangling dir empty file link link target pipe"},
		{"list", "dir", "a b"},
		{"list", "link", "a b"},
		{"list", "empty", ""},
		{"list", "file", "file is a file, not a directory"},
		{"list", "pipe", "pipe is a named pipe, not a directory"},
		{"list", "none", "none: file does not exist"},
		{"open", "file", "x"},
		{"open", "link/a", "1"},
		{"open", "dir", "dir is a directory: not a regular file"},
		{"open", "pipe", "pipe is a named pipe: not a regular file"},
		{"open", "none", "none: file does not exist"},
		{"sub", "dir", "ROOT/dir ROOT/dir/x/y"},
		{"sub", "none", "open none: file does not exist"},
		{"sub", "file", "file is a file, not a directory"},
		{"sub", "pipe", "pipe is a named pipe, not a directory"},
		{"mkdir", "new/deep", "new/deep"},
		{"mkdir", "new/deep", "new/deep already exists, as a directory: file already exists"},
		{"mkdir", "file", "file already exists, as a file: file already exists"},
		{"mkdir", "file/x", "file/x: file is a file, not a directory"},
		{"rmdir", "new/deep", "removed"},
		{"rmdir", "new/deep", "new/deep: file does not exist"},
		{"rmdir", "dir", "remove dir: directory not empty"},
		{"rmdir", "file", "file is a file, and Marvin does not remove it"},
		{"rmdir", ".", ". is a directory, and Marvin does not remove it"},
		{"rmdir", "empty", "removed"},
	} {
		if got := operations[row.operation](row.name); got != row.want {
			t.Errorf("%s %s: %s, want %s", row.operation, row.name, got, row.want)
		}
	}
	sub, err := dir.Sub("Notes", "made/deep", true)
	must(t, err)
	defer func() { _ = sub.Close() }()
	must(t, write(sub, "x", "made"))
	if content(t, root, "made/deep/x") != "made" {
		t.Error("a directory that was made is another one")
	}
	for mode, want := range map[fs.FileMode]string{0: "a file", fs.ModeDir: "a directory", fs.ModeSymlink: "a symbolic link", fs.ModeNamedPipe: "a named pipe", fs.ModeSocket: "a socket", fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeIrregular: "a special file"} {
		if got := kindOf(mode); got != want {
			t.Errorf("%v is %s", mode, got)
		}
	}
	if _, err := OpenAs("Notes", filepath.Join(root, "none")); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "open directory "+filepath.Join(root, "none")+": ") {
		t.Errorf("%v", err)
	}
}

func TestChangesOfABatch(t *testing.T) {
	root := tree(t, map[string]string{"a": "1", "run": "2", "gone": "3", "same": "4", "moves": "5", "again": "6", "dir/": ""})
	must(t, os.Chmod(filepath.Join(root, "run"), 0o750))
	must(t, os.Chmod(filepath.Join(root, "moves"), 0o755))
	dir := open(t, root)
	batch := dir.Batch()
	for _, err := range []error{
		batch.Write("a", []byte("one")), batch.SetMode("a", 0o600), batch.Write("run", []byte("two")), batch.Remove("gone"), batch.Write("same", []byte("4")), batch.SetMode("same", 0o644),
		batch.Rename("moves", "dir/new/moved"), batch.Create("dir/x/y", nil), batch.Create("exact", []byte("8")), batch.SetMode("exact", 0o755), batch.Remove("again"), batch.Create("again", []byte("six")),
	} {
		must(t, err)
	}
	var got []string
	for _, one := range batch.Changes() {
		got = append(got, fmt.Sprintf("%s %q %04o → %q %04o %v", one.Name, one.Before, one.BeforeMode, one.After, one.AfterMode, one.Made))
		if one.Path != filepath.Join(root, one.Name) || one.Dir != dir.Real() || (one.After == nil) != (one.Name == "gone" || one.Name == "moves") || (one.Before == nil) != (one.BeforeMode == 0) {
			t.Errorf("%+v", one)
		}
	}
	want := []string{
		`a "1" 0644 → "one" 0600 []`, `run "2" 0750 → "two" 0750 []`, `gone "3" 0644 → "" 0000 []`, `moves "5" 0755 → "" 0000 []`, `dir/new/moved "" 0000 → "5" 0755 [dir/new]`,
		`dir/x/y "" 0000 → "" 0000 [dir/x]`, `exact "" 0000 → "8" 0755 []`, `again "6" 0644 → "six" 0644 []`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it changes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	must(t, batch.Commit(context.Background()))
	for name, want := range map[string]string{"a": "one 0600", "run": "two 0750", "same": "4 0644", "dir/new/moved": "5 0755", "exact": "8 0755", "again": "six 0644"} {
		info, err := os.Stat(filepath.Join(root, name))
		must(t, err)
		if got := fmt.Sprintf("%s %04o", content(t, root, name), info.Mode().Perm()); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	noLitter(t, root)
}

func TestBatchRefusals(t *testing.T) {
	root := tree(t, map[string]string{"a": "1", "b": "2", "dir/x": "3"})
	for _, row := range []struct {
		what string
		do   func(*Batch) error
		want string
		is   error
	}{
		{"write what is not there", func(b *Batch) error { return b.Write("none", nil) }, "none: file does not exist", fs.ErrNotExist},
		{"write what it removed", func(b *Batch) error { return errors.Join(b.Remove("a"), b.Write("a", nil)) }, "the same change removes a: file does not exist", fs.ErrNotExist},
		{"read what it removed", func(b *Batch) error {
			_, err := b.Read("a")
			_, again := b.Read("none")
			return errors.Join(err, b.Remove("a"), again)
		}, "none: file does not exist", fs.ErrNotExist},
		{"remove it twice", func(b *Batch) error { return errors.Join(b.Remove("a"), b.Remove("a")) }, "the same change removes a: file does not exist", fs.ErrNotExist},
		{"give it a mode", func(b *Batch) error { return errors.Join(b.Remove("a"), b.SetMode("a", 0o600)) }, "the same change removes a: file does not exist", fs.ErrNotExist},
		{"make what is there", func(b *Batch) error { return b.Create("a", nil) }, "a: file already exists", fs.ErrExist},
		{"move onto another", func(b *Batch) error { return b.Rename("a", "b") }, "b: file already exists", fs.ErrExist},
		{"move what is not there", func(b *Batch) error { return b.Rename("none", "c") }, "none: file does not exist", fs.ErrNotExist},
		{"change a directory", func(b *Batch) error { return b.Write("dir", nil) }, "dir is a directory: not a regular file", ErrNotRegular},
		{"change the whole", func(b *Batch) error { return b.Write(".", nil) }, ". is a directory: not a regular file", ErrNotRegular},
		{"make below a file", func(b *Batch) error { return b.Create("a/x", nil) }, "a/x: a is a file, not a directory", nil},
	} {
		batch := open(t, root).Batch()
		err := row.do(batch)
		if err == nil {
			err = batch.Commit(context.Background())
		}
		if err == nil || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%s: %v", row.what, err)
			continue
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); first != row.want {
			t.Errorf("%s: %s, want %s", row.what, first, row.want)
		}
	}
	moved := open(t, root).Batch()
	if err := moved.Rename("a", "b"); err == nil || len(moved.Changes()) > 0 {
		t.Errorf("a move that failed changes %+v", moved.Changes())
	}
	limit := bytes.Repeat([]byte("x"), MaxEdit+1)
	for size, fits := range map[int]bool{MaxEdit: true, MaxEdit + 1: false} {
		must(t, os.WriteFile(filepath.Join(root, "large"), limit[:size], 0o644))
		if _, err := open(t, root).Batch().Read("large"); (err == nil) != fits || !fits && !errors.Is(err, ErrTooLarge) {
			t.Errorf("of %d bytes: %v", size, err)
		}
	}
}
