package box

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// A directory is swapped for a link to the outside, as fast as possible, while files are written
// and read below it. Nothing outside may be read or changed.
func TestDirectorySwappedForLinkDuringWrites(t *testing.T) {
	outside := tree(t, map[string]string{"f": "secret"})
	// git's file has the same content, so that comparing contents does not help.
	root := tree(t, map[string]string{"d/f": "inside", ".git/f": "inside"})
	at := func(name string) string { return filepath.Join(root, name) }
	must(t, os.Symlink(outside, at("link")))
	must(t, os.Symlink(".git", at("gitlink")))
	git, err := os.Stat(at(".git/f"))
	must(t, err)

	var swaps atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			link := []string{"link", "gitlink"}[i%2]
			_ = os.Rename(at("d"), at("away"))
			_ = os.Rename(at(link), at("d"))
			_ = os.Rename(at("d"), at(link))
			_ = os.Rename(at("away"), at("d"))
			swaps.Add(1)
		}
	}()
	dir := open(t, root)
	written := 0
	for end := time.Now().Add(400 * time.Millisecond); time.Now().Before(end); {
		if content, err := readFile(dir, "d/f"); err == nil && content != "inside" {
			t.Fatalf("read %q from outside", content)
		}
		if write(dir, "d/f", "inside") == nil {
			written++
		}
	}
	close(stop)
	<-stopped
	if got := content(t, outside, "f"); got != "secret" {
		t.Fatalf("the file outside is %q now", got)
	}
	if now, err := os.Stat(at(".git/f")); err != nil || !os.SameFile(git, now) {
		t.Fatalf("git's file was replaced: %v", err)
	}
	entries, err := os.ReadDir(outside)
	must(t, err)
	if len(entries) != 1 {
		t.Fatalf("outside has %v now", entries)
	}
	if swaps.Load() < 100 || written == 0 {
		t.Errorf("too little happened: %d swaps, %d writes", swaps.Load(), written)
	}
	t.Logf("%d swaps, %d writes", swaps.Load(), written)
}

func TestLinkInPlaceOfACheckedDirectory(t *testing.T) {
	root := tree(t, map[string]string{".git/f": "git", "d/f": "x"})
	dir := open(t, root)
	at, err := dir.resolve("d/f", writing)
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(root, "d")))
	must(t, os.Symlink(".git", filepath.Join(root, "d")))
	if parent, err := dir.descend(at.parent(), false, nil); !errors.Is(err, ErrChanged) {
		t.Errorf("descend: %v, %v; want ErrChanged", parent, err)
	}
}
