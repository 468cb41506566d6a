package address_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/tools"
	"marvin/tools/internal/address"
)

func newEnv(t *testing.T) tools.Env {
	t.Helper()
	env := tools.Env{Dir: t.TempDir(), Home: t.TempDir(), Environ: os.Environ(), Now: time.Now, Progress: func(string) {}, Seen: &tools.Stamps{}}
	env.Artifacts = artifacts.New(persistence.Open(env.Home, time.Now), "one")
	env.Manual = fstest.MapFS{"guide.md": {Data: []byte("# The guide\nText.\n")}, "rpc.md": {Data: []byte("# Programs\n")}}
	return env
}

func put(t *testing.T, env tools.Env, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(env.Dir, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns the content at an address, or the error's text.
func read(t *testing.T, env tools.Env, path string) string {
	t.Helper()
	at, ok := address.Parse(path)
	if !ok {
		t.Fatalf("%q is no address", path)
	}
	source, err := at.Open(t.Context(), env)
	if err != nil {
		return "error: " + err.Error()
	}
	defer func() { _ = source.Close() }()
	text, err := io.ReadAll(source)
	if err != nil {
		return fmt.Sprintf("%d bytes, error: %v", len(text), err)
	}
	return string(text)
}

func zipped(t *testing.T, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range members {
		w, err := archive.Create(name)
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(w, "in "+name+"\n")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarred(t *testing.T, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, name := range members {
		text := "in " + name + "\n"
		err := archive.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600, Typeflag: tar.TypeReg})
		if err == nil {
			_, err = io.WriteString(archive, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	link := &tar.Header{Name: "link", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}
	if err := archive.WriteHeader(link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []io.Closer{archive, packed} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestAddresses(t *testing.T) {
	for path, want := range map[string]address.Address{
		"artifact:7":                        {Text: "artifact:7", Scheme: "artifact", Rest: "7"},
		"artifact:7:4000-4100":              {Text: "artifact:7", Scheme: "artifact", Rest: "7", First: 4000, Last: 4100},
		"artifact:7:4000-":                  {Text: "artifact:7", Scheme: "artifact", Rest: "7", First: 4000},
		"artifact:7:12":                     {Text: "artifact:7", Scheme: "artifact", Rest: "7", First: 12, Last: 12},
		"artifact:1000000000000000000000:3": {Text: "artifact:1000000000000000000000", Scheme: "artifact", Rest: "1000000000000000000000", First: 3, Last: 3},
		"agent:find callers":                {Text: "agent:find callers", Scheme: "agent", Rest: "find callers"},
		"doc:":                              {Text: "doc:", Scheme: "doc"},
		"doc://guide":                       {Text: "doc://guide", Scheme: "doc", Rest: "guide"},
		"skill:deploy/more.md:2-3":          {Text: "skill:deploy/more.md", Scheme: "skill", Rest: "deploy/more.md", First: 2, Last: 3},
		"x.zip!/a/b":                        {Text: "x.zip!/a/b", File: "x.zip", Rest: "a/b"},
		"d/x.zip!/":                         {Text: "d/x.zip!/", File: "d/x.zip"},
	} {
		if at, ok := address.Parse(path); !ok || at != want {
			t.Errorf("%s: %+v, %v", path, at, ok)
		}
	}
	for _, path := range []string{"", "README.md", "./artifact:7", "a/artifact:7", "C:\\x", "http://a/b", "what!", "!/x", "a:b"} {
		if at, ok := address.Parse(path); ok {
			t.Errorf("%q is taken for an address: %+v", path, at)
		}
	}
}

func TestPagesOfTheManual(t *testing.T) {
	env := newEnv(t)
	for path, want := range map[string]string{
		"doc:":         "Marvin's manual. Its pages:\ndoc:guide  The guide\ndoc:rpc  Programs\n",
		"doc:guide":    "# The guide\nText.\n",
		"doc:Guide.md": "# The guide\nText.\n",
		"doc:../x":     "error: the manual has no page \"../x\"\nIts pages:\ndoc:guide",
	} {
		if got := read(t, env, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestMembersOfArchives(t *testing.T) {
	env := newEnv(t)
	members := []string{"a.txt", "d/b.txt", "../../outside", "/etc/absolute"}
	put(t, env, "x.zip", zipped(t, append(members, "d/")...))
	put(t, env, "x.tgz", tarred(t, members...))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, "one text\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, env, "log.gz", packed.Bytes())
	put(t, env, "plain", []byte("text\n"))
	for path, want := range map[string]string{
		"x.zip!/a.txt": "in a.txt\n", "x.zip!/d/b.txt": "in d/b.txt\n", "x.zip!//a.txt": "in a.txt\n",
		"x.tgz!/a.txt": "in a.txt\n", "x.tgz!/d/b.txt": "in d/b.txt\n",
		"x.zip!/outside": "in ../../outside\n", "x.tgz!/../../outside": "in ../../outside\n", "x.tgz!/etc/absolute": "in /etc/absolute\n",
		"x.zip!/":      "x.zip has 5 members (size in bytes, name):\n         9  a.txt\n        11  d/b.txt\n",
		"x.tgz!/":      "x.tgz has 5 members (size in bytes, name):\n         9  a.txt\n",
		"x.tgz!/link":  "error: x.tgz has no file \"link\"",
		"x.zip!/d":     "error: x.zip has no file \"d\"\nThere are: d/b.txt.",
		"x.zip!/b.txt": "error: x.zip has no file \"b.txt\"\nThere are: d/b.txt.",
		"log.gz!/":     "one text\n", "log.gz!/log": "one text\n",
		"plain!/a":            "error: plain is not an archive or database",
		"missing.zip!/a":      "error: ",
		"../../etc/x.zip!/a":  "error: ",
		"/etc/passwd!/a":      "error: ",
		"x.zip!/x.zip!/a.txt": "error: x.zip has no file",
	} {
		if got := read(t, env, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
	for _, damaged := range [][]byte{zipped(t, members...)[:40], append([]byte{0x1f, 0x8b}, "nonsense"...), []byte("PK")} {
		put(t, env, "damaged", damaged)
		if got := read(t, env, "damaged!/a.txt"); !strings.Contains(got, "error: ") {
			t.Errorf("%q", got)
		}
	}
}

// A member that unpacks to 300 MB is read up to the limit and costs no memory.
func TestArchivesThatUnpackToALotAreBounded(t *testing.T) {
	env := newEnv(t)
	zeros := make([]byte, 1<<20)
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	bomb, err := archive.Create("bomb")
	for range 300 {
		if err == nil {
			_, err = bomb.Write(zeros)
		}
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, env, "bomb.zip", out.Bytes())
	at, _ := address.Parse("bomb.zip!/bomb")
	source, err := at.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	if n, err := io.Copy(io.Discard, source); err == nil || n != 256<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestTablesOfADatabase(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("sqlite3 is not installed")
	}
	env := newEnv(t)
	path := filepath.Join(env.Dir, "x.db")
	statements := `CREATE TABLE "odd "" name" (a, b); INSERT INTO "odd "" name" VALUES (1, 'one'), (2, 'two');
		CREATE VIEW evil AS SELECT writefile('made', 'x'), load_extension('/tmp/x');`
	if out, err := exec.Command("sqlite3", path, statements).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for address, want := range map[string]string{
		"x.db!/":             "Tables and views of x.db:\nevil\nodd \" name\n\nSchema:\n",
		"x.db!/odd \" name":  "a\tb\n1\tone\n2\ttwo\n",
		"x.db!/missing":      "error: x.db has no table \"missing\"\nIt has: evil, odd \" name.",
		"x.db!/evil":         "error: ",
		"x.db!/x; DROP ALL'": "error: x.db has no table",
	} {
		if got := read(t, env, address); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", address, got)
		}
	}
	for _, made := range []string{"made", "x.db-journal", "x.db-wal"} {
		if _, err := os.Stat(filepath.Join(env.Dir, made)); err == nil {
			t.Errorf("%s was made", made)
		}
	}
}

func TestTurnsAndReports(t *testing.T) {
	env := newEnv(t)
	if got := read(t, env, "history:1"); !strings.HasPrefix(got, "error: there is no conversation") {
		t.Error(got)
	}
	env.History = func(_ context.Context, turn int) (string, int, error) {
		if turn == 2 {
			return "## user\nhello\n", 3, nil
		}
		return "", 3, nil
	}
	if _, err := env.Artifacts.Put(artifacts.Artifact{Name: "agent:find it", Tool: "launch_agent"}, []byte("a long report\n")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"history:2":     "## user\nhello\n",
		"history:9":     "error: history:9: there is no such turn\nThe conversation has 3 turns that can be read: history:1 to history:3.",
		"history:last":  "error: history:last: there is no such turn",
		"agent:find it": "a long report\n",
		"agent:other":   "error: this conversation has no report from a sub-agent called \"other\"\nThere are: artifact:1 = agent:find it (launch_agent, 1 line).",
		"artifact:9":    "error: artifact:9: there is no such artifact in this conversation\nThere are: artifact:1",
		"artifact:x":    "error: \"x\" is not an artifact number",
	} {
		if got := read(t, env, path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
	env.Artifacts = nil
	if got := read(t, env, "artifact:1"); !strings.Contains(got, "This conversation has no artifacts") {
		t.Error(got)
	}
}
