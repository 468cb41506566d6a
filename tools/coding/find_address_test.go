package coding

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFindsWhatIsInAnArchiveByName(t *testing.T) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for _, name := range []string{"src/main.go", "src/deep/run.go", "README.md"} {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, map[string]string{"x.zip": packed.String(), "text.txt": "no archive"})
	p.env.Manual = fstest.MapFS{"guide.md": {Data: []byte("# The guide")}, "keys.md": {Data: []byte("# Keys")}}
	for _, test := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"pattern": "*.go", "path": "x.zip!/"}, "x.zip!/src/deep/run.go\nx.zip!/src/main.go\n"},
		{map[string]any{"pattern": "*.go", "path": "x.zip!/src/deep"}, "x.zip!/src/deep/run.go\n"},
		{map[string]any{"pattern": "src/*.go", "path": "x.zip!/"}, "x.zip!/src/main.go\n"},
		{map[string]any{"pattern": "read", "path": "x.zip!/"}, "x.zip!/README.md\n"},
		{map[string]any{"pattern": "*", "path": "x.zip!/", "limit": 1}, "x.zip!/README.md\n[the first 1 of 3 that match]\n"},
		{map[string]any{"pattern": "*.rs", "path": "x.zip!/"}, "Nothing in x.zip!/ matches \"*.rs\"\n"},
		{map[string]any{"pattern": "key", "path": "doc:"}, "doc:keys\n"},
	} {
		if out, err := p.call("find_files", test.args); err != nil || out != test.want {
			t.Errorf("%v: %q, %v; want %q", test.args, out, err, test.want)
		}
	}
	for path, want := range map[string]string{"artifact:7": "use code_grep", "text.txt!/": "not an archive", "gone.zip!/": "gone.zip"} {
		if out, err := p.call("find_files", map[string]any{"pattern": "*", "path": path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", path, out, err)
		}
	}
}
