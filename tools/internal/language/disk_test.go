//go:build unix

package language

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a command changed is told before the next question: files that the server holds with
// their content, the rest by its name.
func TestWhatOthersChangedIsTold(t *testing.T) {
	for _, how := range []string{"well", "pull"} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
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
		s.Doubt()
		report := writes(t, s, root, "a.txt", "still good\n")
		if len(report.Others) != 1 || report.Others[0].Text != "line: bad 1" || len(report.Problems) > 0 {
			t.Errorf("%s: %+v", how, report)
		}
		if _, err := s.Definition(limited(t, patience), Place{Path: filepath.Join(root, "a.txt"), Line: 1, Name: "good"}); err != nil { // what it logged came before the answer
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
				t.Errorf("%s: it was told of %s: %s", how, name, said)
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
