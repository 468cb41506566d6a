//go:build unix

package language

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience limits every wait for an expected event.
const patience = 5 * time.Minute

// plays starts the played server in a new project.
func plays(t *testing.T, how string, environ ...string) (*Session, string) {
	t.Helper()
	root := realDir(t)
	s, err := playedIn(t, root, how, environ...)
	if err != nil {
		t.Fatal(err)
	}
	return s, root
}

func playedIn(t *testing.T, root, how string, environ ...string) (*Session, error) {
	t.Helper()
	return playedAs(t, Server{}, root, how, environ...)
}

// playedAs starts the fake server with this peculiarity.
func playedAs(t *testing.T, server Server, root, how string, environ ...string) (*Session, error) {
	t.Helper()
	server.Name, server.Command, server.Files, server.IDs = "played", []string{"played"}, []string{"*.txt"}, []string{"text"}
	environ = append(append(os.Environ(), environ...), "LSP_PLAYS="+how, "MARVIN_PASS_ENV=LSP_PLAYS,LSP_EDIT,LSP_PLACES,PID_FILE")
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	s, err := Start(ctx, server, Ground{
		Version: "1.2.3", Environ: environ, Root: root, Program: os.Args[0], Read: os.ReadFile,
	})
	if err == nil {
		t.Cleanup(s.Close)
	}
	return s, err
}

func limited(t *testing.T, limit time.Duration) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), limit)
	t.Cleanup(stop)
	return ctx
}

func TestAChangeIsAnsweredWithItsProblems(t *testing.T) {
	for _, how := range []string{"well", "pull", "delays", "delays pull"} {
		s, root := plays(t, how)
		first := writes(t, s, root, "a.txt", "good\nbad 🦊\n")
		if len(first.Problems) != 1 || first.Problems[0].Line != 2 || first.Problems[0].Path != "a.txt" || first.Problems[0].Text != "line: bad 🦊" || first.Late || !first.Fresh {
			t.Errorf("%s: %+v", how, first)
		}
		if second := writes(t, s, root, "a.txt", "good\n"); len(second.Problems) > 0 || second.Late || second.Fresh {
			t.Errorf("%s: %+v", how, second)
		}
	}
}

func TestDiagnosticsOfDeletedFile(t *testing.T) {
	s, root := plays(t, "well")
	path, gone := put(t, root, "a.txt", "bad\n"), filepath.Join(root, "b.txt")
	report, err := s.Check(limited(t, patience), []File{{Path: gone}, {Path: path, Content: []byte("bad\n")}})
	if err != nil || len(report.Files) != 2 || report.Files[0].Path != "b.txt" || report.Files[0].Problems == nil || len(report.Files[0].Problems) > 0 ||
		report.Files[1].Path != "a.txt" || len(report.Files[1].Problems) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// For a server that sends no versions, only the problems of the first content count.
func TestUnversionedDiagnostics(t *testing.T) {
	s, root := plays(t, "versionless")
	if first := writes(t, s, root, "a.txt", "bad 1\n"); len(first.Problems) != 1 {
		t.Errorf("%+v", first)
	}
	path := put(t, root, "a.txt", "bad 2\n")
	report, err := s.Check(limited(t, 500*time.Millisecond), []File{{Path: path, Content: []byte("bad 2\n")}})
	if err != nil || len(report.Problems) > 0 || !report.Late {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestRandomEditsTellNothingStale(t *testing.T) {
	edits := 200
	if said, err := strconv.Atoi(os.Getenv("EDITS")); err == nil {
		edits = said
	}
	var told atomic.Int64
	t.Run("whatever the server does", func(t *testing.T) { // ends when all of them have ended
		for i, how := range []string{"delays lags", "delays lags versionless", "delays dies", "delays lags pull", "delays pull dies", "delays versionless dies"} {
			t.Run(how, func(t *testing.T) {
				t.Parallel() // each waits for late replies
				told.Add(int64(randomEdits(t, how, rand.New(rand.NewPCG(uint64(i), 21)), edits/6)))
			})
		}
	})
	if told.Load() < int64(edits/10) {
		t.Errorf("only %d problems were reported in %d edits", told.Load(), edits)
	}
}

// randomEdits counts a server's edit notifications, all of which must match the file.
func randomEdits(t *testing.T, how string, random *rand.Rand, edits int) (told int) {
	root := realDir(t)
	var s *Session
	for n := range edits {
		if s == nil {
			var err error
			if s, err = playedIn(t, root, how); err != nil {
				t.Fatal(err)
			}
		}
		var files []File
		contents := map[string]string{}
		for range 1 + random.IntN(3) {
			name := fmt.Sprintf("f%d.txt", random.IntN(4))
			if contents[name] == "" {
				contents[name] = fmt.Sprintf("%s %d in %s\n", []string{"bad", "good"}[random.IntN(2)], n, name)
				files = append(files, File{put(t, root, name, contents[name]), []byte(contents[name])})
			}
		}
		limit := time.Duration(20+random.IntN(400)) * time.Millisecond
		report, err := s.Check(limited(t, limit), files)
		if err != nil && how == strings.ReplaceAll(how, "dies", "") {
			t.Fatalf("%s: %v", how, err)
		}
		if err != nil {
			s.Close()
			s = nil
			continue
		}
		for _, one := range append(report.Problems, report.Others...) {
			content, err := os.ReadFile(filepath.Join(root, one.Path))
			if told++; err != nil || "line: "+strings.TrimSpace(string(content)) != one.Text {
				t.Fatalf("%s, edit %d: %+v, but the file holds %q", how, n, one, content)
			}
		}
	}
	return told
}

func TestAServerThatEndsSaysWhy(t *testing.T) {
	root := t.TempDir()
	if _, err := playedIn(t, root, "refuses"); err == nil || !strings.Contains(err.Error(), "no licence was found") || !strings.Contains(err.Error(), "code 3") {
		t.Errorf("%v", err)
	}
	s, root := plays(t, "diesonce silent")
	path := put(t, root, "a.txt", "bad\n")
	_, _ = s.Check(limited(t, 100*time.Millisecond), []File{{path, []byte("bad\n")}})
	if _, err := s.Check(limited(t, patience), []File{{path, []byte("worse\n")}}); err == nil || !strings.Contains(err.Error(), "code 4") {
		t.Errorf("%v", err)
	}
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("%v", err)
	}
}

// A hundred megabytes are skipped, and the message after them is understood.
func TestAFloodIsBounded(t *testing.T) {
	s, root := plays(t, "floods")
	if report := writes(t, s, root, "a.txt", "bad\n"); len(report.Problems) != 1 {
		t.Errorf("%+v", report)
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 64<<20 {
		t.Errorf("%d MiB are kept", memory.HeapAlloc>>20)
	}
	if !strings.Contains(s.Log(), "was skipped") {
		t.Errorf("the log does not tell: %.300q", s.Log())
	}
}

func TestNothingOutsideOfTheRootIsToldOrWritten(t *testing.T) {
	edit := `{"changes":{"file:///etc/passwd":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x"}]}}`
	s, root := plays(t, "outside applies", "LSP_EDIT="+edit, `LSP_PLACES=[{"uri":"file:///etc/passwd","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]`)
	report := writes(t, s, root, "a.txt", "bad\n")
	if len(report.Others) > 0 || len(report.Problems) != 1 {
		t.Errorf("%+v", report)
	}
	at := Place{Path: filepath.Join(root, "a.txt"), Line: 1, Name: "bad"}
	if changes, err := s.Rename(limited(t, patience), at, "x"); err == nil || len(changes) > 0 || !strings.Contains(err.Error(), "outside the project") {
		t.Errorf("%+v, %v", changes, err)
	}
	if spots, err := s.Definition(limited(t, patience), at); err != nil || len(spots) != 1 || spots[0].Text != "" {
		t.Errorf("a line of a file outside was read: %+v, %v", spots, err)
	}
	if !strings.Contains(s.Log(), "tried to change files itself") {
		t.Errorf("the log does not tell: %q", s.Log())
	}
}

func TestServerChildrenEndWithIt(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	s, root := plays(t, "forks", "PID_FILE="+pidFile)
	writes(t, s, root, "a.txt", "good\n")
	content, err := os.ReadFile(pidFile)
	pid, wrong := strconv.Atoi(string(content))
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	s.Close()
	if runtime.GOOS != "linux" {
		return
	}
	for end := time.Now().Add(patience); syscall.Kill(pid, 0) == nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); strings.Contains(string(state), ") Z ") {
			return
		}
	}
	if syscall.Kill(pid, 0) == nil {
		t.Errorf("process %d is left", pid)
	}
}

func TestSilentServerDelaysOnlyItsTimeout(t *testing.T) {
	s, root := plays(t, "silent")
	path := put(t, root, "a.txt", "bad\n")
	report, err := s.Check(limited(t, 100*time.Millisecond), []File{{path, []byte("bad\n")}})
	if err != nil || !report.Late || len(report.Problems) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("Esc"))
	if _, err := s.Definition(ctx, Place{Path: path, Line: 1, Name: "bad"}); err == nil {
		t.Error("it was answered")
	}
}

// Many files are sent at once; one is gone meanwhile, and one is not text.
func TestManyFilesAtOnce(t *testing.T) {
	s, root := plays(t, "well")
	var files []File
	for n := range 500 {
		content := fmt.Sprintf("bad %d\n", n)
		files = append(files, File{put(t, root, fmt.Sprintf("%d.txt", n), content), []byte(content)})
	}
	files[3].Content = nil
	files[4].Content = []byte("\xff\xfe\x00")
	if err := os.Remove(files[5].Path); err != nil {
		t.Fatal(err)
	}
	report, err := s.Check(limited(t, patience), files)
	if err != nil || len(report.Problems) == 0 {
		t.Errorf("%d problems, late %v, %v", len(report.Problems), report.Late, err)
	}
}
