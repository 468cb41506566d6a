package box

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tree creates files below a new directory; a name that ends in / is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, root string) *Dir {
	t.Helper()
	dir, err := Open(root)
	must(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	return dir
}

func readFile(dir *Dir, name string) (string, error) {
	file, err := dir.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(file)
	return string(content), err
}

func write(dir *Dir, name, content string) error {
	batch := dir.Batch()
	if _, err := batch.Read(name); errors.Is(err, fs.ErrNotExist) {
		if err := batch.Create(name, []byte(content)); err != nil {
			return err
		}
	} else if err != nil {
		return err
	} else if err := batch.Write(name, []byte(content)); err != nil {
		return err
	}
	return batch.Commit(context.Background())
}

func TestPathsThatLeaveTheDirectoryAreRefused(t *testing.T) {
	outside := tree(t, map[string]string{"secret": "s"})
	root := tree(t, map[string]string{"in/file": "x", "proj-evil/x": "y"})
	must(t, os.Symlink(outside, filepath.Join(root, "out")))
	must(t, os.Symlink("out", filepath.Join(root, "chain")))
	must(t, os.Symlink("../../"+filepath.Base(outside), filepath.Join(root, "in", "up")))
	must(t, os.Symlink("/proc/self/root"+outside, filepath.Join(root, "proc")))
	dir := open(t, root)
	for _, name := range []string{
		"../x", "in/../../x", "out/secret", "chain/secret", "in/up/secret", "proc/secret",
		outside + "/secret", root + "-evil/x", "/etc/passwd", "~/x", "~", "..", "in/../..",
	} {
		if content, err := readFile(dir, name); !errors.Is(err, ErrOutside) {
			t.Errorf("read %q = %q, %v; want ErrOutside", name, content, err)
		} else if !strings.Contains(err.Error(), root) || !strings.Contains(err.Error(), "in/") {
			t.Errorf("the error for %q lacks the directory and its tree:\n%v", name, err)
		}
		if err := write(dir, name, "evil"); !errors.Is(err, ErrOutside) {
			t.Errorf("write %q: %v; want ErrOutside", name, err)
		}
	}
	for _, name := range []string{"", "a\x00b"} {
		if _, err := readFile(dir, name); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
	if content, _ := os.ReadFile(filepath.Join(outside, "secret")); string(content) != "s" {
		t.Fatal("the file outside changed")
	}
}

// Models know the path of a project, and use it.
func TestAnAbsolutePathInsideIsTheRelativeOne(t *testing.T) {
	root := tree(t, map[string]string{"src/main.go": "x"})
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(root, link))
	dir := open(t, link)
	for _, base := range []string{root, link} {
		if content, err := readFile(dir, base+"/src/main.go"); err != nil || content != "x" {
			t.Errorf("below %s: %q, %v", base, content, err)
		}
		for _, outside := range []string{base + "/../x", base + "x/src/main.go", "/etc/passwd", filepath.Dir(base)} {
			if _, err := readFile(dir, outside); !errors.Is(err, ErrOutside) {
				t.Errorf("%s: %v", outside, err)
			}
		}
	}
}

func TestLinksInsideAreFollowed(t *testing.T) {
	root := tree(t, map[string]string{"real/dir/f": "content"})
	must(t, os.Symlink("real/dir", filepath.Join(root, "short")))
	must(t, os.Symlink("../dir/f", filepath.Join(root, "real/dir/again")))
	must(t, os.Symlink(filepath.Join(root, "real"), filepath.Join(root, "absolute")))
	must(t, os.Symlink("loop", filepath.Join(root, "loop")))
	dir := open(t, root)
	for _, name := range []string{"short/f", "short/again", "absolute/dir/f", "./short/../dir/f", "real//dir/./f"} {
		if content, err := readFile(dir, name); content != "content" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
	}
	if _, err := readFile(dir, "loop"); err == nil || !strings.Contains(err.Error(), "symbolic links") {
		t.Errorf("loop: %v", err)
	}
}

func TestProtectedNamesHoweverSpelled(t *testing.T) {
	root := tree(t, map[string]string{".git/config": "[core]", ".tickets/a.md": "t", "sub/.git/hooks/x": "h", "f": "x"})
	must(t, os.Symlink(".git", filepath.Join(root, "innocent")))
	must(t, os.Symlink(".tickets/a.md", filepath.Join(root, "note.md")))
	dir := open(t, root)
	for _, name := range []string{
		".tickets/a.md", "./.tickets/a.md", ".TICKETS/a.md", "f/../.tickets/a.md", ".//.tickets//a.md",
		"note.md", ".tickets", ".Tic\u212Aets/a.md", ".tickets./x",
	} {
		if _, err := readFile(dir, name); !errors.Is(err, ErrProtected) && !strings.Contains(fmt.Sprint(err), "not a directory") {
			t.Errorf("read %q: %v; want ErrProtected", name, err)
		}
		if err := write(dir, name, "evil"); err == nil {
			t.Errorf("write %q was accepted", name)
		}
	}
	for _, name := range []string{
		".git/config", ".git/hooks/pre-commit", ".GIT/config", "./.Git/config", "sub/.git/hooks/x", "innocent/config",
		".git", "GIT~1/config", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config", ".g\u200cit/config", "new/.git/config",
	} {
		if err := write(dir, name, "evil"); !errors.Is(err, ErrProtected) {
			t.Errorf("write %q: %v; want ErrProtected", name, err)
		}
	}
	if content, err := readFile(dir, ".git/config"); content != "[core]" {
		t.Errorf("reading .git/config: %q, %v", content, err)
	}
	for _, name := range []string{".gitignore", ".github/workflows/ci.yml", "git", "tickets/x"} {
		if err := write(dir, name, "fine"); err != nil {
			t.Errorf("write %q: %v", name, err)
		}
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	root := tree(t, map[string]string{"dir/f": "x"})
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	listener, err := net.Listen("unix", filepath.Join(root, "socket"))
	must(t, err)
	defer func() { _ = listener.Close() }()
	dir := open(t, root)
	for _, name := range []string{"pipe", "socket", "dir", "."} {
		done := make(chan error, 1)
		go func() { _, err := readFile(dir, name); done <- err }()
		select {
		case err := <-done:
			if !errors.Is(err, ErrNotRegular) {
				t.Errorf("read %s: %v; want ErrNotRegular", name, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("opening %s blocks", name)
		}
		if err := write(dir, name, "x"); !errors.Is(err, ErrNotRegular) {
			t.Errorf("write %s: %v; want ErrNotRegular", name, err)
		}
	}
	if _, err := readFile(dir, "dir"); !strings.Contains(err.Error(), "f") {
		t.Errorf("the error does not list the directory: %v", err)
	}
}

func TestDevicesAndProcAreRefused(t *testing.T) {
	slash := open(t, "/")
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := readFile(slash, "dev/zero"); !errors.Is(err, ErrNotRegular) {
			t.Errorf("dev/zero: %v", err)
		}
	}
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc here")
	}
	for _, name := range []string{"proc/self/environ", "proc/version"} {
		if content, err := readFile(slash, name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %d bytes, %v; want ErrNotRegular", name, len(content), err)
		}
	}
}

func TestFileThatBecomesAPipeDoesNotBlock(t *testing.T) {
	root := tree(t, map[string]string{"f": "x"})
	dir := open(t, root)
	parent, err := dir.descend(nil, false, nil)
	must(t, err)
	defer func() { _ = parent.Close() }()
	// This simulates a swap between the two checks of openRegular.
	must(t, os.Remove(filepath.Join(root, "f")))
	must(t, syscall.Mkfifo(filepath.Join(root, "f"), 0o644))
	file, err := parent.OpenFile("f", os.O_RDONLY|syscall.O_NONBLOCK, 0)
	must(t, err) // returns at once, without a writer
	_ = file.Close()
	if _, err := openRegular(parent, "f"); !errors.Is(err, ErrNotRegular) {
		t.Errorf("openRegular: %v", err)
	}
}

func TestTwoFilesNFCandNFD(t *testing.T) {
	nfc, nfd := "caf\u00e9.txt", "cafe\u0301.txt"
	root := tree(t, map[string]string{nfc: "composed", nfd: "decomposed", "Bildschirm\u00a0foto.png": "nbsp", "src/deep/Main.go": "m"})
	dir := open(t, root)
	for name, want := range map[string]string{nfc: "composed", nfd: "decomposed"} {
		if content, err := readFile(dir, name); content != want {
			t.Errorf("%+q: %q, %v", name, content, err)
		}
	}
	for name, want := range map[string][]string{
		"CAF\u00c9.txt":       {`"caf\u00e9.txt"`, `"cafe\u0301.txt"`},
		"Bildschirm foto.png": {`"Bildschirm\u00a0foto.png"`},
		"src/deep/main.go":    {`"src/deep/Main.go"`},
		"main.go":             {`"src/deep/Main.go"`},
		"src/dep/Main.go":     {`"src/deep/Main.go"`},
	} {
		_, err := readFile(dir, name)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%+q: %v; want not exist", name, err)
			continue
		}
		for _, suggestion := range want {
			if !strings.Contains(err.Error(), suggestion) {
				t.Errorf("%+q does not suggest %s:\n%v", name, suggestion, err)
			}
		}
	}
}

func TestTreeInErrorsIsShort(t *testing.T) {
	files := map[string]string{".git/config": "", "node_modules/x/y.js": "", "venv/a": "", "pkg/__pycache__/b": "", "pkg/real.go": ""}
	for i := range 60 {
		files[fmt.Sprintf("many/f%02d", i)] = ""
		files[fmt.Sprintf("top%02d", i)] = ""
	}
	root := tree(t, files)
	_, err := readFile(open(t, root), "missing-entirely")
	text := err.Error()
	if lines := strings.Count(text, "\n"); lines > treeLimit+4 {
		t.Errorf("%d lines", lines)
	}
	for _, hidden := range []string{".git", "node_modules", "venv", "__pycache__"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is shown", hidden)
		}
	}
	if !strings.Contains(text, "more") || !strings.Contains(text, "many/") {
		t.Errorf("tree:\n%s", text)
	}
}

func TestOverviewIsStable(t *testing.T) {
	root := tree(t, map[string]string{"cmd/app/main.go": "", "cmd/x.go": "", "go.mod": "", "empty/": ""})
	must(t, os.Symlink("go.mod", filepath.Join(root, "link")))
	want := "Working directory: " + root + "\nIt contains:\n  cmd/\n    app/\n    x.go\n  empty/\n  go.mod\n  link (link)"
	if got := open(t, root).overview(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSubDirectoryDoesNotFollowLinksOut(t *testing.T) {
	outside := t.TempDir()
	root := tree(t, map[string]string{"a": "x"})
	must(t, os.Symlink(outside, filepath.Join(root, ".marvin")))
	if _, err := open(t, root).Sub("Notes directory", ".marvin/notes", true); !errors.Is(err, ErrOutside) {
		t.Errorf("Sub: %v", err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Errorf("outside has %v now", entries)
	}
}
