//go:build unix

package language

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestServerHearsOfOutsideChanges(t *testing.T) {
	for _, how := range []string{"well", "pull"} {
		root := realDir(t)
		put(t, root, "changed.txt", "good\n")
		put(t, root, "goes.txt", "good\n")
		put(t, root, ".git/x.txt", "good\n")
		put(t, root, "same.txt", "good\n")
		s, err := playedIn(t, root, how, "LSP_PLACES=[]")
		if err != nil {
			t.Fatal(err)
		}
		writes(t, s, root, "open.txt", "good\n")
		writes(t, s, root, "a.txt", "good\n")
		put(t, root, "open.txt", "bad 1\n")
		put(t, root, "changed.txt", "changed\n")
		put(t, root, "made.txt", "good\n")
		put(t, root, "other.bin", "x\n")
		put(t, root, ".git/x.txt", "changed\n")
		if err := os.Remove(filepath.Join(root, "goes.txt")); err != nil {
			t.Fatal(err)
		}
		s.CheckDisk()
		report := writes(t, s, root, "a.txt", "still good\n")
		if len(report.Others) != 1 || report.Others[0].Text != "line: bad 1" || len(report.Problems) > 0 {
			t.Errorf("%s: %+v", how, report)
		}
		if _, err := s.Definition(limited(t, patience), Place{Path: filepath.Join(root, "a.txt"), Line: 1, Name: "good"}); err != nil { // its log messages came before the reply
			t.Fatal(err)
		}
		said := s.Log()
		for name, kind := range map[string]string{"open.txt": "2", "changed.txt": "2", "made.txt": "1", "goes.txt": "3"} {
			if !strings.Contains(said, `"type":`+kind+`,"uri":"`+uriOf(filepath.Join(root, name))) {
				t.Errorf("%s: of %s it was not told: %s", how, name, said)
			}
		}
		for _, name := range []string{"same.txt", "other.bin", ".git/x.txt"} {
			if strings.Contains(said, uriOf(filepath.Join(root, name))) {
				t.Errorf("%s: it heard about %s: %s", how, name, said)
			}
		}
		if err := os.Remove(filepath.Join(root, "open.txt")); err != nil {
			t.Fatal(err)
		}
		if report = writes(t, s, root, "a.txt", "good again\n"); len(report.Others) > 0 {
			t.Errorf("%s: of a file that is gone it says %+v", how, report.Others)
		}
	}
}

func TestChangesOnTheDiskAreBounded(t *testing.T) {
	s := unread(t)
	root := s.ground.Root
	for name, content := range map[string]string{"told.txt": "1", "changed.txt": "12", "made.txt": "1", "d/deep.txt": "1", "node_modules/x.txt": "1", "d/.x/y.txt": "1"} {
		put(t, root, name, content)
	}
	if err := os.Symlink("made.txt", filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(root, name) }
	s.disk = map[string]stamp{in("changed.txt"): s.walk()[in("changed.txt")], in("gone.txt"): {}, in("told too.txt"): {}, in("link.txt"): {}}
	put(t, root, "changed.txt", "1")
	if err := s.tellDisk(map[string]bool{in("told.txt"): true, in("told too.txt"): true}); err != nil {
		t.Fatal(err)
	}
	if got := s.told(t); got != "didChangeWatchedFiles changed.txt=2 deep.txt=1 gone.txt=3 made.txt=1" {
		t.Errorf("told %s", got)
	}
	if err := s.tellDisk(nil); err != nil || s.told(t) != "" {
		t.Errorf("it is told again, or %v", err)
	}
	for n := range mostWatched {
		if err := os.Link(in("told.txt"), in(strconv.Itoa(n)+".txt")); err != nil {
			t.Fatal(err)
		}
	}
	for _, more := range []int{0, 1} {
		s.disk = map[string]stamp{}
		except := map[string]bool{in("d/deep.txt"): true, in("changed.txt"): true, in("told.txt"): true, in("made.txt"): more == 0}
		if err := s.tellDisk(except); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(s.told(t), "=1"); got != mostWatched {
			t.Errorf("of %d changes %d are reported", mostWatched+more, got)
		}
	}
	s.ground.Root = in("none")
	if found := s.walk(); len(found) > 0 {
		t.Errorf("in no directory there are %v", found)
	}
}
