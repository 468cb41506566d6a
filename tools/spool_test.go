package tools

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
)

// keeping returns an environment that stores artifacts, with a key that must not be in them.
func keeping(t *testing.T) Env {
	t.Helper()
	home := persistence.Open(t.TempDir(), time.Now)
	return Env{Home: home.User, Environ: []string{"API_TOKEN=" + aKey}, Artifacts: artifacts.New(home, "s1")}
}

const aKey = "tok-0123456789abcdefghij"

func held(t *testing.T, env Env, number int) string {
	t.Helper()
	file, _, err := env.Artifacts.Open(number)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A short output is written to disk only on request. A long one is written while it arrives, in
// whole lines and without keys.
func TestSpoolWritesLongOutput(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	long := strings.Repeat(line, spoolMemory/100)
	rest := strings.Repeat("y", spoolMemory-len(long))
	for _, row := range []struct {
		what   string
		pieces []string
		kept   bool // stored without a request
		want   string
	}{
		{"a line", []string{"a\n"}, false, "a\n"},
		{"as much as memory holds", []string{long, rest}, false, long + rest},
		{"one byte more", []string{long, rest, "z"}, true, long + rest + "z"},
		{"lines, and one that has no end yet", []string{long + rest, "z\nhalf", " of it\nand", " more"}, true, long + rest + "z\nhalf of it\nand more"},
		{"a line without an end", []string{strings.Repeat("x", spoolMemory+1), "y", "\n", "z"}, true, strings.Repeat("x", spoolMemory+1) + "y\nz"},
		{"a key in two pieces", []string{long, rest + "\n" + aKey[:5], aKey[5:] + "\n", aKey, "\nend"}, true, long + rest + "\n[key withheld]\n[key withheld]\nend"},
		{"a key in a short one", []string{"with " + aKey}, false, "with [key withheld]"},
	} {
		env := keeping(t)
		spool := env.NewSpool("run_command", "ls")
		for _, piece := range row.pieces {
			if n, err := spool.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Errorf("%s: %d, %v", row.what, n, err)
			}
		}
		if _, err := os.Stat(env.Artifacts.Dir()); (err == nil) != row.kept {
			t.Errorf("%s: on the disk before it is asked for: %v", row.what, err == nil)
		}
		kept, err := spool.Keep()
		if err != nil || kept.Number != 1 || kept.Tool != "run_command" || kept.Title != "ls" || kept.Media != "" {
			t.Fatalf("%s: %+v, %v", row.what, kept, err)
		}
		if got := held(t, env, 1); got != row.want {
			t.Errorf("%s: %d bytes are kept, want %d: …%q", row.what, len(got), len(row.want), got[max(0, len(got)-60):])
		}
		if again, err := spool.Keep(); !errors.Is(err, errEnded) || again.Number != 0 {
			t.Errorf("%s: kept twice: %+v, %v", row.what, again, err)
		}
		if _, err := spool.Write([]byte("late")); err != nil || strings.Contains(held(t, env, 1), "late") {
			t.Errorf("%s: what came behind the end was kept, or %v", row.what, err)
		}
	}
	env := keeping(t)
	if kept, err := env.NewSpool("x", "").Keep(); err != nil || kept.Number != 0 || len(env.Artifacts.List()) > 0 {
		t.Errorf("of nothing: %+v, %v", kept, err)
	}
	var nowhere Env
	spool := nowhere.NewSpool("x", "")
	if _, err := spool.Write(bytes.Repeat([]byte("x"), 2*spoolMemory)); err != nil || nowhere.ReadableDirs() != nil {
		t.Errorf("where nothing is kept: %v, %q", err, nowhere.ReadableDirs())
	}
	if kept, err := spool.Keep(); kept.Number != 0 {
		t.Errorf("where nothing is kept: %+v, %v", kept, err)
	}
}

// The output of a command that moves to the background is complete in the other writer, each byte
// once.
func TestSpoolDivertsOutput(t *testing.T) {
	for _, size := range []int{0, 10, spoolMemory, spoolMemory + 1, 3 * spoolMemory} {
		env := keeping(t)
		spool := env.NewSpool("run_command", "make")
		text := strings.Repeat("line\n", size/5+1)[:size]
		var to bytes.Buffer
		if _, err := spool.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := spool.Divert(&to); err != nil || to.String() != text {
			t.Errorf("of %d bytes %d continued, %v", size, to.Len(), err)
		}
		if _, err := spool.Write([]byte("more")); err != nil || to.String() != text+"more" {
			t.Errorf("of %d bytes and more %d continued, %v", size, to.Len(), err)
		}
		if _, err := spool.Keep(); !errors.Is(err, errEnded) {
			t.Errorf("it is kept, too: %v", err)
		}
	}
}

func TestASpoolIsDiscarded(t *testing.T) {
	for size, want := range map[int]int{10: 0, spoolMemory + 1: 1} {
		env := keeping(t)
		spool := env.NewSpool("run_command", "make")
		if _, err := spool.Write(bytes.Repeat([]byte("x"), size)); err != nil {
			t.Fatal(err)
		}
		spool.Discard()
		if all := env.Artifacts.List(); len(all) != want || want > 0 && all[0].Size != int64(size) {
			t.Errorf("of %d bytes: %+v", size, all)
		}
	}
}

// The note on an artifact says which part is stored, and how to read the rest.
func TestSpoolArtifactNote(t *testing.T) {
	env := keeping(t)
	place := env.Artifacts.Place(7)
	for _, row := range []struct {
		kept artifacts.Artifact
		line int64
		want string
	}{
		{
			artifacts.Artifact{Number: 7, Lines: 3, Size: 9, Total: 9},
			2,
			`[all 3 lines (9 bytes) are stored as artifact:7: read_file {"path": "artifact:7", "start_line": 2} or code_grep {"path": "artifact:7", "pattern": …}; in commands, use the path ` + place + "; do not run the command again to see the output]\n",
		},
		{
			artifacts.Artifact{Number: 7, Name: "job:x", Lines: 3, Size: 9, Total: 10},
			0,
			`[the first 3 lines (9 of 10 bytes) are stored as job:x: read_file {"path": "job:x", "start_line": 1} or code_grep {"path": "job:x", "pattern": …}; in commands, use the path ` + place + "; do not run the command again to see the output]\n",
		},
	} {
		if got := artifactNote(env.Artifacts, row.kept, row.line); got != row.want {
			t.Errorf("%s want %s", got, row.want)
		}
	}
	for _, row := range []struct {
		kept artifacts.Artifact
		want string
	}{
		{artifacts.Artifact{Number: 7, Media: "image/png", Size: 9, Total: 9}, "[image/png, 9 bytes: artifact:7; read_file shows pictures and documents; in commands, use the path " + place + "]"},
		{artifacts.Artifact{Number: 7, Media: "image/png", Size: 9, Total: 10}, "[image/png, the first 9 of 10 bytes: artifact:7; read_file shows pictures and documents; in commands, use the path " + place + "]"},
	} {
		if got := saysBinary(env.Artifacts, row.kept); got != row.want {
			t.Errorf("%s want %s", got, row.want)
		}
	}
	if got := (Env{}).KeepBinary(artifacts.Artifact{}, []byte("abc")); got != "[application/octet-stream, 3 bytes, not shown]" {
		t.Errorf("where nothing is kept: %s", got)
	}
	if got := env.KeepBinary(artifacts.Artifact{Media: "image/png"}, []byte("\x89PNG")); !strings.HasPrefix(got, "[image/png, 4 bytes: artifact:1;") || held(t, env, 1) != "\x89PNG" {
		t.Errorf("%s", got)
	}
	if got := env.ReadableDirs(); len(got) != 1 || !strings.HasPrefix(env.Artifacts.Place(1), got[0]+string(filepath.Separator)) {
		t.Errorf("a command may read %q", got)
	}
}

// A result that is too long ends with a note on the rest, and stays within the limits.
func TestAResultIsKeptWhole(t *testing.T) {
	env := keeping(t)
	limits := Limits{Bytes: 2000, Lines: 20, LineBytes: 100}
	text := strings.Repeat("line\n", 50)
	got := limits.KeepWhole(env.Artifacts, artifacts.Artifact{Tool: "x"}, text)
	if held(t, env, 1) != text || !strings.Contains(got, "[all 50 lines (250 bytes) are stored as artifact:1: read_file") || strings.Count(got, "\n") > limits.Lines {
		t.Errorf("%s", got)
	}
	head, _, _ := strings.Cut(got, "\n[… ")
	if next := `"start_line": ` + string('0'+rune(strings.Count(head, "\n")+1)) + `}`; !strings.Contains(got, next) {
		t.Errorf("it is not read on from %s: %s", next, got)
	}
	if got := limits.KeepWhole(env.Artifacts, artifacts.Artifact{}, "short\n"); got != "short\n" || len(env.Artifacts.List()) != 1 {
		t.Errorf("a short one: %q", got)
	}
	bare, _ := limits.Cut(text)
	if got := limits.KeepWhole(nil, artifacts.Artifact{}, text); got != bare {
		t.Errorf("where nothing is kept: %q, want %q", got, bare)
	}
}
