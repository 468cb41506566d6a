package address_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"marvin/persistence/artifacts"
	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/address"
)

// Whole and Within return the addresses of the container and of another member.
func TestTheAddressOfAMember(t *testing.T) {
	for path, want := range map[string][]string{
		"x.zip!/a/b":        {"x.zip!/", "x.zip!/c d"},
		"artifact:7:10-20":  {"artifact:", "artifact:c d"},
		"mcp:office/file:1": {"mcp:", "mcp:c d"},
	} {
		at, ok := address.Parse(path)
		whole := at.Whole()
		if !ok || whole.Text != want[0] || whole.Rest != "" || whole.First != 0 || whole.Last != 0 || whole.File != at.File || whole.Scheme != at.Scheme || at.Within("c d") != want[1] {
			t.Errorf("%s: %+v, %s", path, whole, at.Within("c d"))
		}
	}
	for head, want := range map[string]bool{
		"": false, "PK": true, "P": false, "\x1f\x8b": true, "\x1f": false, "BZh": true, "BZ": false, "SQLite format 3\x00": true, "SQLite format 3": false,
		strings.Repeat("x", 257) + "ustar": false, strings.Repeat("x", 257) + "ustar\x00": true, strings.Repeat("x", 258) + "ustar\x00": false,
	} {
		if got := address.Packed([]byte(head)); got != want {
			t.Errorf("%q has members: %v", head, got)
		}
	}
}

// broken is a manual with one unreadable page.
type broken struct{ fs.FS }

func (b broken) Open(name string) (fs.File, error) {
	if name == "b.md" {
		return nil, errors.New("the disk is broken")
	}
	return b.FS.Open(name)
}

func TestOpenErrors(t *testing.T) {
	env := newEnv(t)
	env.History = func(context.Context, int) (string, int, error) { return "", 0, errors.New("it is being written") }
	put(t, env, "log.bz2", []byte("BZh nonsense"))
	put(t, env, "half.tgz", tarred(t, "a", "b")[:60])
	damaged := zipped(t, "a.txt")
	copy(damaged[8:], "\x63\x00") // an unknown compression method
	at := bytes.LastIndex(damaged, []byte("PK\x01\x02"))
	copy(damaged[at+10:], "\x63\x00")
	put(t, env, "odd.zip", damaged)
	put(t, env, "short.db", []byte("SQLite format 3\x00 and nonsense"))
	put(t, env, "text", nil)
	if err := os.Mkdir(filepath.Join(env.Dir, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"history:1":      "error: it is being written",
		"log.bz2!/":      "error: log.bz2 cannot be unpacked: bzip2 data invalid",
		"half.tgz!/":     "error: half.tgz cannot be unpacked: ",
		"odd.zip!/a.txt": "error: a.txt in odd.zip cannot be unpacked: zip: unsupported compression algorithm",
		"text!/a/b":      "error: text is not an archive or database that Marvin can read\nMarvin reads zip, tar, tar.gz, tar.bz2, gz, bz2 and SQLite. To read the file itself, leave \"!/a/b\" out.",
		"dir!/a":         "error: ",
		"artifact: 5 ":   "error: artifact: 5: there is no such artifact in this conversation\nThis conversation has no artifacts, because every output so far was shown in full.",
		"artifact:":      "error: \"\" is not an artifact number\nThis conversation has no artifacts",
		"doc:b":          "error: the manual has no page \"b\"\nIts pages:\ndoc:guide  The guide\ndoc:rpc  Programs\n",
		"doc:/RPC/":      "# Programs\n",
		"short.db!/":     "error: short.db: ",
	} {
		if strings.HasPrefix(path, "short.db") && !hasSQLite() {
			continue
		}
		if got := read(t, env, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
	env.Manual = broken{fstest.MapFS{"a.md": {Data: []byte("no heading")}, "b.md": {Data: []byte("# B")}}}
	for path, want := range map[string]string{"doc:a": "no heading", "doc:": "error: the disk is broken", "doc:b": "error: the disk is broken"} {
		if got := read(t, env, path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	env.Dir, env.Manual = "", nil
	for path, want := range map[string]string{"x.zip!/": "error: no working directory is set\n", "doc:": "error: there is no manual here"} {
		if got := read(t, env, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func hasSQLite() bool {
	_, err := exec.LookPath("sqlite3")
	return err == nil
}

func TestArtifactsAreListed(t *testing.T) {
	env := newEnv(t)
	for i := range 22 {
		about := artifacts.Artifact{Tool: "fetch\x1b", Foreign: i == 21}
		if i == 20 {
			about.Media = "image/png"
		}
		if _, err := env.Artifacts.Put(about, []byte(strings.Repeat("a\n", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, env, "artifact:99")
	const begins = "error: artifact:99: there is no such artifact in this conversation\nThere are: artifact:22 (fetch‹U+001B›, 22 lines), artifact:21 (fetch‹U+001B›, image/png, 42 bytes), artifact:20 (fetch‹U+001B›, 20 lines), "
	if !strings.HasPrefix(got, begins) || !strings.HasSuffix(got, ", artifact:3 (fetch‹U+001B›, 3 lines).") {
		t.Errorf("%s", got)
	}
	for number, foreign := range map[int]bool{22: true, 2: false} {
		at, _ := address.Parse(fmt.Sprintf("artifact:%d:2-", number))
		source, err := at.Open(t.Context(), env)
		if err != nil || source.Foreign != foreign || source.Size != int64(2*number) || source.Name != fmt.Sprintf("artifact:%d", number) {
			t.Errorf("%d: %+v, %v", number, source, err)
		} else if err := source.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(env.Artifacts.Place(5)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, env, "artifact:5"); !strings.HasPrefix(got, "error: artifact:5: ") || strings.Contains(got, "no such artifact") {
		t.Errorf("one whose file is gone: %s", got)
	}
	if _, err := env.Artifacts.Put(artifacts.Artifact{Name: "agent:lost", Tool: "x"}, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(env.Artifacts.Place(23)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, env, "agent:lost"); !strings.HasPrefix(got, "error: agent:lost: ") {
		t.Errorf("a report whose file is gone: %s", got)
	}
}

// There is a limit for examined members, and a smaller one for listed members.
func TestArchivesWithManyMembers(t *testing.T) {
	env := newEnv(t)
	var small, large bytes.Buffer
	for count, out := range map[int]*bytes.Buffer{2001: &small, 100_001: &large} {
		packed := zip.NewWriter(out)
		for i := range count {
			if _, err := packed.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := packed.Close(); err != nil {
			t.Fatal(err)
		}
	}
	put(t, env, "small.zip", small.Bytes())
	put(t, env, "large.zip", large.Bytes())
	got := read(t, env, "small.zip!/")
	if !strings.HasPrefix(got, "small.zip has 2001 members (size in bytes, name):\n         0  0\n") || !strings.HasSuffix(got, "\n         0  1999\n[directories, and files beyond the first 2000, are not listed]\n") {
		t.Errorf("%.100s … %s", got, got[max(0, len(got)-100):])
	}
	if got := read(t, env, "large.zip!/1"); got != "error: large.zip has 100001 members, more than the limit of 100000" {
		t.Errorf("%.200s", got)
	}
	if got := read(t, env, "small.zip!/2000"); got != "" {
		t.Errorf("a member that is not listed: %q", got)
	}
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for i := range 100_001 {
		if err := archive.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	put(t, env, "large.tgz", out.Bytes())
	if got := read(t, env, "large.tgz!/"); got != "error: large.tgz has more members than the limit of 100000" {
		t.Errorf("%.200s", got)
	}
	at, _ := address.Parse("small.zip!/")
	source, err := at.Open(t.Context(), env)
	if err != nil || len(source.Members) != 2000 || source.Members[1999] != "1999" || source.Name != "small.zip!/" {
		t.Errorf("%d members of %s, %v", len(source.Members), source.Name, err)
	}
}

func TestCrontabProgram(t *testing.T) {
	env := newEnv(t)
	put(t, env, "x.db", []byte("SQLite format 3\x00"))
	bin := t.TempDir()
	program := func(script string) {
		if err := disktest.WriteProgram(filepath.Join(bin, "sqlite3"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env.Environ = []string{"PATH=" + bin}
	if got := read(t, env, "x.db!/"); got != "error: x.db: sqlite3 is not installed\nTell the user to install the package sqlite3." {
		t.Errorf("%s", got)
	}
	const tables = "case $7 in 'SELECT name FROM'*) printf 'name\\na\\nb\\n'; exit;; esac\n"
	for _, row := range []struct{ script, path, want string }{
		{"echo broken >&2; exit 3", "x.db!/", "error: x.db: sqlite3: exit code 3: broken"},
		{tables + "exit 4", "x.db!/", "Tables and views of x.db:\na\nb\n"},
		{tables + "printf 'sql\\nCREATE a\\n'", "x.db!/", "Tables and views of x.db:\na\nb\n\nSchema:\nsql\nCREATE a\n"},
		{tables + "exit 4", "x.db!/b", "error: x.db!/b: sqlite3: exit code 4: "},
		{tables + "echo \"$*\"", "x.db!/b/", "-safe -readonly -header -separator \t " + filepath.Join(env.Dir, "x.db") + " SELECT * FROM \"b\" LIMIT 100000\n"},
		{tables + "exit 4", "x.db!/c", "error: x.db has no table \"c\"\nIt has: a, b."},
		{"exit 0", "x.db!/c", "error: x.db has no table \"c\"\nIt has: ."},
	} {
		program(row.script)
		if got := read(t, env, row.path); got != row.want {
			t.Errorf("%s of %s: %q, want %q", row.path, row.script, got, row.want)
		}
	}
	program(tables + "exec /usr/bin/yes 0123456789abcde")
	got := read(t, env, "x.db!/b")
	if want := "\n[16 MB are shown; to see only a part, query it with sqlite3 in a command]\n"; len(got) != 16<<20+len(want) || !strings.HasSuffix(got, want) {
		t.Errorf("of a large table %d bytes are read, and then: %s", len(got), got[max(0, len(got)-100):])
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	at, _ := address.Parse("x.db!/b")
	if _, err := at.Open(ctx, env); !errors.Is(err, context.Canceled) {
		t.Errorf("when nobody waits: %v", err)
	}
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxStrict})
	if got := read(t, env, "x.db!/b"); !strings.HasPrefix(got, "error: x.db: "+tools.ErrUnconfined.Error()) {
		t.Errorf("where no sandbox holds it: %s", got)
	}
}
