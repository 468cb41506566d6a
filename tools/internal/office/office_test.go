package office

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// packed returns a document with these parts.
func packed(t *testing.T, parts ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for i := 0; i < len(parts); i += 2 {
		part, err := archive.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const wordSpace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

func TestTextOfDocuments(t *testing.T) {
	for name, one := range map[string]struct {
		content    []byte
		kind, want string
	}{
		"Word": {
			packed(t, "[Content_Types].xml", "<Types/>", "word/document.xml", `<?xml version="1.0"?><w:document `+wordSpace+`><w:body>
			<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Aims</w:t></w:r></w:p>
			<w:p><w:r><w:t xml:space="preserve">One </w:t></w:r><w:r><w:t>two &amp; three</w:t><w:tab/><w:t>end</w:t></w:r></w:p>
			<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>point</w:t></w:r></w:p>
			<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
			<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>last</w:t></w:r></w:p></w:body></w:document>`),
			"a Word document", "## Aims\nOne two & three\tend\n- point\na \tb c \t\nlast\n",
		},
		"Excel": {
			packed(t, "xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="Costs" sheetId="1" r:id="r7"/><sheet name="Chart" r:id="r9"/></sheets></workbook>`,
				"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r7" Target="worksheets/sheet3.xml"/><Relationship Id="r9" Target="/xl/charts/c.xml"/></Relationships>`,
				"xl/sharedStrings.xml", `<sst><si><t>Rent</t></si><si><r><t>Fo</t></r><r><t>od</t></r></si></sst>`,
				"xl/worksheets/sheet3.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><f>1+1</f><v>900.5</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="inlineStr"><is><t>in
			line</t></is></c><c r="XFD2" t="s"><v>99</v></c></row><row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" t="s"><v>-1</v></c></row></sheetData></worksheet>`),
			"an Excel workbook", "## Costs\nRent\t\t900.5\t\nFood\tin line\t" + strings.Repeat("\t", 200) + "99\t\n2\t-1\t\n## Chart\n",
		},
		"PowerPoint": {
			packed(t, "ppt/presentation.xml", "<p/>", "ppt/slides/slide10.xml", `<s xmlns:a="y"><a:p><a:r><a:t>ten</a:t></a:r></a:p></s>`, "ppt/slides/slide2.xml", `<s xmlns:a="y"><a:p><a:r><a:t>two</a:t></a:r></a:p></s>`),
			"a PowerPoint presentation", "## Slide 2\ntwo\n## Slide 10\nten\n",
		},
		"OpenDocument": {
			packed(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", `<d xmlns:text="t" xmlns:table="b"><text:h text:outline-level="1">Title</text:h><text:p>a<text:s text:c="3"/>b<text:span>c</text:span></text:p>
			<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list><table:table table:name="T"><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></d>`),
			"an OpenDocument file", "# Title\na   bc\n- item\n## T\n1 \t2 \t\n",
		},
	} {
		document, ok, err := Read(one.content)
		if !ok || err != nil || document.Kind != one.kind || document.Text != one.want || document.Cut {
			t.Errorf("%s: %v, %v, %q is\n%q, want\n%q", name, ok, err, document.Kind, document.Text, one.want)
		}
	}
}

func TestFileThatIsNoDocument(t *testing.T) {
	for name, content := range map[string][]byte{
		"nothing": nil, "text": []byte("PKwhatever"), "a zip": packed(t, "a.txt", "hello"), "an epub": packed(t, "mimetype", "application/epub+zip"),
	} {
		if document, ok, err := Read(content); ok || err != nil {
			t.Errorf("%s: %+v, %v", name, document, err)
		}
	}
}

func TestHostileDocumentsAreBounded(t *testing.T) {
	word := func(body string) []byte {
		return packed(t, "word/document.xml", `<w:document `+wordSpace+`><w:body>`+body+`</w:body></w:document>`)
	}
	bomb, ok, err := Read(word(strings.Repeat(" ", mostUnpacked)))
	if !ok || err != nil || !bomb.Cut {
		t.Errorf("a bomb: cut %v, %v", bomb.Cut, err)
	}
	long, ok, err := Read(word(strings.Repeat("<w:p><w:r><w:t>"+strings.Repeat("x", 1000)+"</w:t></w:r></w:p>", 6000)))
	if !ok || err != nil || !long.Cut || len(long.Text) > mostText+2000 {
		t.Errorf("a long one: %d bytes, cut %v, %v", len(long.Text), long.Cut, err)
	}
	if _, ok, err := Read(packed(t, "word/document.xml", `<!DOCTYPE a [<!ENTITY x "xxxx">]><a>&x;</a>`)); !ok || err == nil {
		t.Error("an entity of its own is expanded")
	}
	if document, ok, err := Read(word("<w:p><w:r><w:t>so far</w:t></w:r></w:p><w:p><broken")); !ok || err == nil || document.Text != "so far\n" {
		t.Errorf("a damaged one: %q, %v", document.Text, err)
	}
	if _, ok, err := Read(packed(t, "xl/workbook.xml", `<w><sheet name="a" id="r"/></w>`)); !ok || err == nil {
		t.Error("a workbook without its parts is no error")
	}
}
