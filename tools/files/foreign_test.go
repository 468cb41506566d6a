package files

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

func TestTheTextOfADocumentIsRead(t *testing.T) {
	word := func(paragraphs ...string) string {
		var out bytes.Buffer
		archive := zip.NewWriter(&out)
		part, err := archive.Create("word/document.xml")
		if err != nil {
			t.Fatal(err)
		}
		body := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
		for _, paragraph := range paragraphs {
			body += "<w:p><w:r><w:t>" + paragraph + "</w:t></w:r></w:p>"
		}
		if _, err := part.Write([]byte(body + "</w:body></w:document>")); err != nil {
			t.Fatal(err)
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	p := newProject(t, map[string]string{"letter.docx": word("Dear all", "the kettle is on", "Yours"), "empty.docx": word(), "half.docx": word("good", "bad &nothing;")})
	for _, row := range []struct {
		args []any
		says []string
		not  string
	}{
		{[]any{"path", "letter.docx"}, []string{"[the text of letter.docx, ", "Dear all", "the kettle is on"}, "as far as"},
		{[]any{"path", "letter.docx", "start_line", 2, "end_line", 2}, []string{"the kettle is on"}, "Dear all"},
		{[]any{"path", "empty.docx"}, []string{"[empty.docx is ", " without text]"}, "as far as"},
		{[]any{"path", "half.docx"}, []string{"[the text of half.docx, ", ", as far as it could be read]", "good"}, "kettle"},
	} {
		text := p.ok("read_file", row.args...)
		for _, want := range row.says {
			if !strings.Contains(text, want) {
				t.Errorf("%v: %q does not say %q", row.args, text, want)
			}
		}
		if strings.Contains(text, row.not) {
			t.Errorf("%v: %q says %q", row.args, text, row.not)
		}
	}
}
