package coding

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
)

func TestSearchesEveryMemberOfAnArchiveAndPageOfTheManual(t *testing.T) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for name, content := range map[string]string{"src/main.go": "needle one\n", "src/deep/run.go": "hay\nneedle two\n", "README.md": "needle three\n", "src/picture": "needle\x00"} {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, map[string]string{"x.zip": packed.String()})
	p.env.Manual = fstest.MapFS{"guide.md": {Data: []byte("# The guide\nneedle")}, "keys.md": {Data: []byte("# Keys")}}
	for _, test := range []struct {
		path, glob string
		has, lacks []string
	}{
		{"x.zip!/", "*", []string{"x.zip!/src/main.go", "x.zip!/src/deep/run.go", "needle two", "x.zip!/README.md"}, []string{"picture"}},
		{"x.zip!/src", "*", []string{"x.zip!/src/main.go", "x.zip!/src/deep/run.go"}, []string{"README"}},
		{"x.zip!/", "*.md", []string{"x.zip!/README.md"}, []string{"main.go"}},
		{"x.zip!/src/main.go", "*", []string{"x.zip!/src/main.go", "needle one"}, []string{"two"}},
		{"doc:", "*", []string{"doc:guide"}, []string{"keys"}},
	} {
		out := p.must("code_grep", map[string]any{"pattern": "needle", "path": test.path, "glob_filter": test.glob})
		for _, part := range test.has {
			if !strings.Contains(out, part) {
				t.Errorf("%s %s: no %q in %q", test.path, test.glob, part, out)
			}
		}
		for _, part := range test.lacks {
			if strings.Contains(out, part) {
				t.Errorf("%s %s: %q in %q", test.path, test.glob, part, out)
			}
		}
	}
	p.refused("code_grep", map[string]any{"pattern": "x", "path": "x.zip!/gone"}, `no file "gone"`)
	if out := p.must("code_grep", map[string]any{"pattern": "needle", "path": "x.zip"}); !strings.Contains(out, "To search an archive or database, use x.zip!/]") {
		t.Errorf("of an archive as it is: %q", out)
	}
}
