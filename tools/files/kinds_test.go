package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestRangesByEitherNaming(t *testing.T) {
	p := newProject(t, map[string]string{"f": "a\nb\nc\nd\ne\n"})
	for args, want := range map[string]string{
		`{"path":"f","offset":2,"limit":2}`:                    "2. b\n3. c\n",
		`{"path":"f","limit":2}`:                               "1. a\n2. b\n",
		`{"path":"f","offset":4}`:                              "4. d\n5. e\n",
		`{"path":"f","offset":0,"limit":1}`:                    "1. a\n",
		`{"path":"f","offset":"4","limit":"1"}`:                "4. d\n",
		`{"path":"f","start_line":2,"limit":1}`:                "2. b\n",
		`{"path":"f","start_line":2,"end_line":3,"limit":900}`: "2. b\n3. c\n",
		`{"filePath":"f","start":5}`:                           "5. e\n",
	} {
		if out, err := p.run("read_file", args); err != nil || out.Text != want {
			t.Errorf("%s: %q, %v", args, out.Text, err)
		}
	}
	if out, err := p.run("read_file", fmt.Sprintf(`{"path":%q,"limit":1}`, filepath.Join(p.dir, "f"))); err != nil || out.Text != "1. a\n" {
		t.Errorf("by its whole path: %q, %v", out.Text, err)
	}
}

// The first part of a large file ends with the very call that shows the next one.
func TestLargeFilesAreReadPartByPart(t *testing.T) {
	var content strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&content, "line %d\n", i+1)
	}
	p := newProject(t, map[string]string{"a \"b\".txt": content.String()})
	out, err := p.run("read_file", `{"path":"a \"b\".txt"}`)
	all, calls := "", 0
	for ; err == nil && calls < 20; calls++ {
		shown, next, more := strings.Cut(out.Text, "[lines ")
		for line := range strings.Lines(shown) {
			_, line, _ = strings.Cut(line, ". ")
			all += line
		}
		if !more {
			break
		}
		_, next, _ = strings.Cut(next, "Continue with read_file ")
		out, err = p.run("read_file", strings.TrimSuffix(next, "]\n"))
	}
	if err != nil || all != content.String() || calls == 0 {
		t.Errorf("after %d calls %d of %d bytes, %v", calls, len(all), content.Len(), err)
	}
}

func TestPicturesAreDescribed(t *testing.T) {
	gray := image.NewPaletted(image.Rect(0, 0, 31, 17), color.Palette{color.Black, color.White})
	made := map[string]*bytes.Buffer{"a.png": {}, "a.jpg": {}, "a.gif": {}}
	for name, err := range map[string]error{
		"png": png.Encode(made["a.png"], gray), "jpeg": jpeg.Encode(made["a.jpg"], gray, nil), "gif": gif.Encode(made["a.gif"], gray, nil),
	} {
		if err != nil {
			t.Fatal(name, err)
		}
	}
	files := map[string]string{
		"lossy.webp":    "RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x1f\x00\x11\x00\x00\x00\x00\x00",
		"lossless.webp": "RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f\x1e\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"wide.webp":     "RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x1e\x00\x00\x10\x00\x00\x00\x00\x00\x00",
	}
	for name, content := range made {
		files[name] = content.String()
	}
	p := newProject(t, files)
	for name, kind := range map[string]string{"a.png": "PNG", "a.jpg": "JPEG", "a.gif": "GIF", "lossy.webp": "WebP", "lossless.webp": "WebP", "wide.webp": "WebP"} {
		want := fmt.Sprintf("[%s is a picture (%s, 31×17 pixels), %d bytes]\n", name, kind, len(files[name]))
		if got := p.ok("read_file", "path", name); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestNotebooksAreShownAsCells(t *testing.T) {
	p := newProject(t, map[string]string{
		"n.ipynb": `{"cells":[{"cell_type":"markdown","source":["# Title\n","words"]},
{"cell_type":"code","execution_count":3,"source":"print(1)\nplot()","outputs":[{"output_type":"stream","text":["1\n","2\n"]},
{"output_type":"display_data","data":{"text/plain":["<Figure>"],"image/png":"` + strings.Repeat("iVBOR", 20_000) + `"}},
{"output_type":"error","ename":"ValueError","evalue":"no","traceback":["x"]}]},
{"cell_type":"code","execution_count":null,"source":[],"outputs":[{"output_type":"stream","text":"` + strings.Repeat(`line\n`, 100) + `"}]}],"metadata":{}}`,
		"broken.ipynb": `{"cells": 7`,
	})
	got := p.ok("read_file", "path", "n.ipynb")
	for _, want := range []string{
		"a notebook with 3 cells", "--- cell 1: markdown ---\n# Title\nwords\n", "--- cell 2: code [3] ---\nprint(1)\nplot()\n→ 1\n  2\n→ <Figure> [a picture, image/png, 75001 bytes]\n→ ValueError: no\n",
		"--- cell 3: code ---\n", "80 lines left out",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%.2000s", want, got)
		}
	}
	if len(got) > 2000 {
		t.Errorf("%d bytes", len(got))
	}
	if got := p.ok("read_file", "path", "n.ipynb", "start_line", 1, "end_line", 1); !strings.HasPrefix(got, `1. {"cells":[{"cell_type":"markdown"`) {
		t.Errorf("with a range: %q", got)
	}
	if got := p.ok("read_file", "path", "broken.ipynb"); got != `{"cells": 7` {
		t.Errorf("%q", got)
	}
}

func TestTheTextOfAPDF(t *testing.T) {
	document := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>endobj\n" +
		"4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n5 0 obj<</Length 44>>stream\nBT /F1 18 Tf 20 100 Td (Hello from a PDF) Tj ET\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
	p := newProject(t, map[string]string{"a.pdf": document, "broken.pdf": "%PDF-1.4\nnothing\x00"})
	p.env.Environ = os.Environ()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		p.fails([]string{"is a PDF", "pdftotext is not installed", "poppler-utils"}, "read_file", "path", "a.pdf")
		t.Skip(err)
	}
	if got := p.ok("read_file", "path", "a.pdf"); !strings.HasPrefix(got, "[the text of a.pdf, a PDF of 1 page]\n1. --- page 1 ---\n") || !strings.Contains(got, "2. Hello from a PDF\n") {
		t.Errorf("%q", got)
	}
	p.fails([]string{"broken.pdf is a PDF", "exit code 1"}, "read_file", "path", "broken.pdf")
}

// An archive or a database is no text, and the error has the call that lists it.
func TestAnArchiveIsListedByTheCallThatTheErrorNames(t *testing.T) {
	for name, content := range map[string]string{"x.zip": "PK\x03\x04\x00\x00", "x.tar.gz": "\x1f\x8b\x08\x00", "x.db": "SQLite format 3\x00"} {
		p := newProject(t, map[string]string{name: content})
		p.fails([]string{"cannot be shown as text", `read_file {"path": "` + name + `!/"} lists`}, "read_file", "path", name)
	}
}

// The error about a file that is packed in a way that Marvin does not read has the command that
// does, with the name as a shell takes it.
func TestAPackedFileIsReadByTheCommandThatTheErrorNames(t *testing.T) {
	for name, kind := range map[string]struct{ magic, command string }{
		"a.7z": {"7z\xbc\xaf\x27\x1c\x00\x04", "7z l 'a.7z'."}, "a.rar": {"Rar!\x1a\x07\x01\x00", "unrar l 'a.rar', or 7z l."},
		"a.tar.zst": {"\x28\xb5\x2f\xfd\x00", "tar -tf 'a.tar.zst'."}, "log.zst": {"\x28\xb5\x2f\xfd\x00", "zstd -dc 'log.zst'."},
	} {
		p := newProject(t, map[string]string{name: kind.magic})
		p.fails([]string{"cannot be shown as text", "read it with a command: " + kind.command}, "read_file", "path", name)
	}
	var archive bytes.Buffer
	zipped := zip.NewWriter(&archive)
	member, err := zipped.Create("log.xz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := member.Write([]byte("\xfd7zXZ\x00\x00")); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	inside := newProject(t, map[string]string{"x.zip": archive.String()})
	if _, err := inside.run("read_file", `{"path":"x.zip!/log.xz"}`); err == nil || strings.Contains(err.Error(), "xz -dc") || !strings.Contains(err.Error(), "A command such as") {
		t.Errorf("of a member no command can be given: %v", err)
	}
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"-it's a log.txt", "all.tar"} {
		p := newProject(t, nil)
		make := exec.Command("sh", "-c", `if test "$1" = all.tar; then echo hi > f && tar -cf all.tar f; else echo hi > "./$1"; fi && xz "./$1"`, "sh", name)
		make.Dir = p.dir
		if out, err := make.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		_, err := p.run("read_file", fmt.Sprintf(`{"path":%q}`, name+".xz"))
		if err == nil {
			t.Fatal("it is shown")
		}
		_, command, _ := strings.Cut(err.Error(), "read it with a command: ")
		reads := exec.Command("sh", "-c", strings.TrimSuffix(strings.TrimSpace(command), "."))
		reads.Dir = p.dir
		if out, err := reads.CombinedOutput(); err != nil || string(out) != map[bool]string{true: "f\n", false: "hi\n"}[name == "all.tar"] {
			t.Errorf("%s: %q, %v: %s", name, command, err, out)
		}
	}
}
