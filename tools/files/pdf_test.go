package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools/internal/proc"
)

func TestThePagesOfAPDF(t *testing.T) {
	p := newProject(t, map[string]string{"a.pdf": "%PDF-1.4\n"})
	bin := t.TempDir()
	p.env.Environ = []string{"PATH=" + bin + ":/usr/bin:/bin"}
	says := func(script string) {
		if err := disktest.WriteProgram(filepath.Join(bin, "pdftotext"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	says(`printf 'one\n\f\f two \nmore\n\f'`)
	const about = "[the text of a.pdf, a PDF of 3 pages]\n"
	for want, args := range map[string][]any{
		about + "1. --- page 1 ---\n2. one\n3. --- page 3 ---\n4. two \n5. more\n": {"path", "a.pdf"},
		about + "4. two \n5. more\n": {"path", "a.pdf", "start_line", 4},
	} {
		if got := p.ok("read_file", args...); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p.fails([]string{"9"}, "read_file", "path", "a.pdf", "start_line", 9)
	says(`printf '\f \f'`)
	if got := p.ok("read_file", "path", "a.pdf"); got != "[a.pdf is a PDF of 2 pages without text; perhaps it contains scans, which a command like ocrmypdf can turn into text]\n" {
		t.Errorf("%q", got)
	}
	says(`echo 'it is encrypted' >&2; exit 1`)
	p.fails([]string{"a.pdf is a PDF (9 bytes) whose text cannot be read: pdftotext: exit code 1: it is encrypted"}, "read_file", "path", "a.pdf")
	if err := os.Remove(filepath.Join(bin, "pdftotext")); err != nil {
		t.Fatal(err)
	}
	p.env.Environ = []string{"PATH=" + bin}
	p.fails([]string{"pdftotext is not installed\nTell the user to install it; it is in the package poppler-utils (poppler on macOS)."}, "read_file", "path", "a.pdf")
	f := proc.Capped{Most: mostOfPDF}
	for _, one := range []struct {
		size, taken int
		full        bool
	}{{mostOfPDF - 1, mostOfPDF - 1, false}, {2, 1, true}, {1, 0, true}} {
		if n, err := f.Write(make([]byte, one.size)); n != one.taken || (err != nil) != one.full {
			t.Errorf("of %d bytes %d are taken, %v", one.size, n, err)
		}
	}
	for name, want := range map[string]string{"a b": "'a b'", "-x": "'./-x'", "it's": `'it'\''s'`} {
		if got := quoted(name); got != want {
			t.Errorf("%s is quoted as %s", name, got)
		}
	}
}
