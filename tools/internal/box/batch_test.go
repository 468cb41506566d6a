package box

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func content(t *testing.T, root, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	must(t, err)
	return string(data)
}

// noLitter fails the test if a temporary file is left.
func noLitter(t *testing.T, root string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(entry.Name(), ".marvin-") {
			t.Errorf("left behind: %s", path)
		}
		return err
	}))
}

func TestWriteKeepsModeAndLinks(t *testing.T) {
	root := tree(t, map[string]string{"dir/script": "old"})
	script := filepath.Join(root, "dir/script")
	must(t, os.Chmod(script, 0o751))
	must(t, os.Symlink("dir/script", filepath.Join(root, "link")))
	dir := open(t, root)
	must(t, write(dir, "link", "new"))
	info, err := os.Lstat(script)
	must(t, err)
	if info.Mode().Perm() != 0o751 || content(t, root, "dir/script") != "new" {
		t.Errorf("mode %v, content %q", info.Mode(), content(t, root, "dir/script"))
	}
	if target, err := os.Readlink(filepath.Join(root, "link")); target != "dir/script" {
		t.Errorf("link: %q, %v", target, err)
	}
	noLitter(t, root)
}

func TestWriteKeepsTheOwner(t *testing.T) {
	root := tree(t, map[string]string{"a": "old"})
	path := filepath.Join(root, "a")
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Skip("only root gives files away: ", err)
	}
	b := open(t, root).Batch()
	must(t, b.Write("a", []byte("new")))
	must(t, b.Commit(t.Context()))
	info, err := os.Stat(path)
	must(t, err)
	if is := info.Sys().(*syscall.Stat_t); is.Uid != 1234 || is.Gid != 2345 || content(t, root, "a") != "new" {
		t.Errorf("it belongs to %d:%d and holds %q", is.Uid, is.Gid, content(t, root, "a"))
	}
}

func TestWriteCutsHardLinksOff(t *testing.T) {
	outside := tree(t, map[string]string{"victim": "old"})
	root := t.TempDir()
	must(t, os.Link(filepath.Join(outside, "victim"), filepath.Join(root, "f")))
	must(t, write(open(t, root), "f", "new"))
	if content(t, outside, "victim") != "old" || content(t, root, "f") != "new" {
		t.Error("a write went through a hard link")
	}
}

func TestNewFilesHaveTheUsualMode(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	root := t.TempDir()
	must(t, write(open(t, root), "a/b/c", "x"))
	info, err := os.Stat(filepath.Join(root, "a/b/c"))
	must(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v with umask 027", info.Mode())
	}
	if stat := info.Sys().(*syscall.Stat_t); stat.Nlink != 1 {
		t.Errorf("%d names", stat.Nlink)
	}
	noLitter(t, root)
}

func TestReadOnlyFileIsNotReplaced(t *testing.T) {
	root := tree(t, map[string]string{"f": "keep"})
	must(t, os.Chmod(filepath.Join(root, "f"), 0o444))
	if err := write(open(t, root), "f", "new"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// Size and time stay the same; only the content differs.
func TestChangeBetweenReadAndReplaceIsSeen(t *testing.T) {
	root := tree(t, map[string]string{"f": "mine"})
	path := filepath.Join(root, "f")
	stamp := time.Unix(1_700_000_000, 0)
	must(t, os.Chtimes(path, stamp, stamp))
	batch := open(t, root).Batch()
	_, err := batch.Read("f")
	must(t, err)
	must(t, batch.Write("f", []byte("next")))
	must(t, os.WriteFile(path, []byte("your"), 0o644))
	must(t, os.Chtimes(path, stamp, stamp))
	if err := batch.Commit(context.Background()); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("commit: %v; want ErrChanged", err)
	}
	if content(t, root, "f") != "your" {
		t.Errorf("the other's content is lost: %q", content(t, root, "f"))
	}
	noLitter(t, root)
}

func TestFileThatAppearsIsNotReplaced(t *testing.T) {
	root := t.TempDir()
	batch := open(t, root).Batch()
	must(t, batch.Create("new/f", []byte("mine")))
	must(t, os.MkdirAll(filepath.Join(root, "new"), 0o755))
	must(t, os.WriteFile(filepath.Join(root, "new/f"), []byte("your"), 0o644))
	if err := batch.Commit(context.Background()); !errors.Is(err, ErrChanged) {
		t.Errorf("commit: %v", err)
	}
	if content(t, root, "new/f") != "your" {
		t.Error("replaced")
	}
}

func TestFileThatAppearsAtTheLastMomentIsNotReplaced(t *testing.T) {
	root := t.TempDir()
	batch := open(t, root).Batch()
	must(t, batch.Create("f", []byte("mine")))
	c := &commit{dir: batch.dir}
	must(t, c.stage(batch.steps[0]))
	must(t, c.staged[0].verify())
	must(t, os.WriteFile(filepath.Join(root, "f"), []byte("your"), 0o644))
	if err := c.staged[0].replace(); !errors.Is(err, fs.ErrExist) || content(t, root, "f") != "your" {
		t.Errorf("%v; it holds %q", err, content(t, root, "f"))
	}
	c.cleanUp()
	noLitter(t, root)
}

func TestBatchIsSeenAsItLeavesFiles(t *testing.T) {
	root := tree(t, map[string]string{"a": "1", "b": "2"})
	must(t, os.Symlink("a", filepath.Join(root, "alias")))
	batch := open(t, root).Batch()
	_, err := batch.Read("a")
	must(t, err)
	must(t, batch.Write("a", []byte("1+")))
	if got, err := batch.Read("alias"); string(got) != "1+" {
		t.Errorf("through the link: %q, %v", got, err)
	}
	must(t, batch.Rename("a", "c"))
	if _, err := batch.Read("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a after the move: %v", err)
	}
	if err := batch.Rename("c", "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("move onto b: %v", err)
	}
	if err := batch.Create("b", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create b: %v", err)
	}
	must(t, batch.Remove("b"))
	must(t, batch.Create("b", []byte("fresh")))
	must(t, batch.Commit(context.Background()))
	if content(t, root, "c") != "1+" || content(t, root, "b") != "fresh" {
		t.Error("wrong contents")
	}
	if _, err := os.Lstat(filepath.Join(root, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a is still there: %v", err)
	}
}

func TestFailureOfOneFilePutsTheOthersBack(t *testing.T) {
	root := tree(t, map[string]string{"first": "1", "gone": "here", "last": "3"})
	must(t, os.Chmod(filepath.Join(root, "first"), 0o640))
	dir := open(t, root)
	batch := dir.Batch()
	for _, name := range []string{"first", "gone", "last"} {
		_, err := batch.Read(name)
		must(t, err)
	}
	must(t, batch.Write("first", []byte("one")))
	must(t, batch.Create("made/new", []byte("n")))
	must(t, batch.Remove("gone"))
	must(t, batch.Write("last", []byte("three")))

	c := &commit{dir: dir}
	for _, step := range batch.steps {
		must(t, c.stage(step))
	}
	final := c.staged[2] // steps are in the order of first naming: first, gone, last, made/new
	if final.at.name() != "last" {
		t.Fatalf("third step is %s", final.at.name())
	}
	must(t, os.Remove(filepath.Join(root, final.temp)))
	err := c.swap()
	c.cleanUp()
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "2 of 4 files were written and then restored") {
		t.Errorf("swap: %v", err)
	}
	if content(t, root, "first") != "1" || content(t, root, "gone") != "here" || content(t, root, "last") != "3" {
		t.Error("not put back")
	}
	if info, _ := os.Stat(filepath.Join(root, "first")); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v after putting back", info.Mode())
	}
	if _, err := os.Lstat(filepath.Join(root, "made")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a directory made for nothing is left")
	}
	noLitter(t, root)
}

func TestPuttingBackDoesNotOverwriteOthers(t *testing.T) {
	root := tree(t, map[string]string{"a": "1"})
	dir := open(t, root)
	batch := dir.Batch()
	_, err := batch.Read("a")
	must(t, err)
	must(t, batch.Write("a", []byte("2")))
	c := &commit{dir: dir}
	must(t, c.stage(batch.steps[0]))
	must(t, c.swap())
	must(t, os.WriteFile(filepath.Join(root, "a"), []byte("3"), 0o644))
	err = c.undo(1, errors.New("the next file failed"))
	c.cleanUp()
	if !strings.Contains(err.Error(), "could not be restored: a ") || content(t, root, "a") != "3" {
		t.Errorf("undo: %v; content %q", err, content(t, root, "a"))
	}
}

func TestCancelledCommitChangesNothing(t *testing.T) {
	root := tree(t, map[string]string{"a": "1"})
	batch := open(t, root).Batch()
	must(t, batch.Create("deep/b", []byte("x")))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := batch.Commit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("commit: %v", err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Errorf("entries: %v", entries)
	}
}

func TestFilesTooLargeToEdit(t *testing.T) {
	root := tree(t, map[string]string{"big": ""})
	must(t, os.Truncate(filepath.Join(root, "big"), MaxEdit+1))
	if _, err := open(t, root).Batch().Read("big"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

func TestRemoveOfALinkIsRefused(t *testing.T) {
	root := tree(t, map[string]string{"target": "x"})
	must(t, os.Symlink("target", filepath.Join(root, "link")))
	if err := open(t, root).Batch().Remove("link"); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%v", err)
	}
}

// Readers see either the old or the new content, never a mixture.
func TestReplaceIsAtomicForReaders(t *testing.T) {
	root := tree(t, map[string]string{"f": strings.Repeat("a", 100_000)})
	dir := open(t, root)
	stop := make(chan struct{})
	bad := make(chan string, 1)
	go func() {
		defer close(bad)
		for {
			select {
			case <-stop:
				return
			default:
			}
			data, err := os.ReadFile(filepath.Join(root, "f"))
			if err != nil || len(data) != 100_000 || len(bytes.Trim(data, string(data[:1]))) != 0 {
				bad <- "a mixture was seen"
				return
			}
		}
	}()
	for i := range 20 {
		must(t, write(dir, "f", strings.Repeat(string(rune('b'+i)), 100_000)))
	}
	close(stop)
	if what := <-bad; what != "" {
		t.Error(what)
	}
}
