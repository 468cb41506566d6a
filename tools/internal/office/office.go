package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// These limits protect against archive bombs.
const (
	mostUnpacked = 24 << 20 // the maximum size of a document's XML, in bytes
	mostText     = 4 << 20  // the maximum size of the extracted text, in bytes
	mostParts    = 20_000   // the maximum number of archive members
)

// Document is the result of reading a file.
type Document struct {
	Kind string // for messages to users, such as "a Word document"
	Text string // tabs separate the cells of a row
	Cut  bool   // the document was longer than the limits
}

type reader struct {
	archive *zip.Reader
	left    int64 // remaining bytes of XML
	out     strings.Builder
}

var errFull = errors.New("enough was read")

// Read extracts the text from a document. It returns false if the content is not a document.
func Read(content []byte) (Document, bool, error) {
	if !bytes.HasPrefix(content, []byte("PK")) {
		return Document{}, false, nil
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil || len(archive.File) > mostParts {
		return Document{}, false, nil
	}
	r := &reader{archive: archive, left: mostUnpacked}
	kind := ""
	switch {
	case r.has("word/document.xml"):
		kind, err = "a Word document", r.word()
	case r.has("xl/workbook.xml"):
		kind, err = "an Excel workbook", r.workbook()
	case r.has("ppt/presentation.xml"):
		kind, err = "a PowerPoint presentation", r.slides()
	case r.has("content.xml") && r.has("mimetype"):
		kind, err = "an OpenDocument file", r.open()
	default:
		return Document{}, false, nil
	}
	document := Document{Kind: kind, Text: r.out.String()}
	if errors.Is(err, errFull) {
		document.Cut, err = true, nil
	}
	if err != nil {
		err = fmt.Errorf("read %s: %w", kind, err)
	}
	return document, true, err
}

func (r *reader) member(name string) *zip.File {
	at := slices.IndexFunc(r.archive.File, func(one *zip.File) bool { return strings.TrimPrefix(one.Name, "/") == name })
	if at < 0 {
		return nil
	}
	return r.archive.File[at]
}

func (r *reader) has(name string) bool { return r.member(name) != nil }

// eachToken calls f for each XML token of the named archive member. It returns the first error of
// f, or errFull at a size limit.
func (r *reader) eachToken(name string, f func(token xml.Token) error) error {
	member := r.member(name)
	if member == nil {
		return fmt.Errorf("%s is missing", name)
	}
	content, err := member.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	limited := &io.LimitedReader{R: content, N: r.left}
	defer func() { r.left = limited.N }()
	decoder := xml.NewDecoder(limited)
	for {
		token, err := decoder.Token()
		switch {
		case err != nil && limited.N <= 0:
			return errFull
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := f(token); err != nil {
			return err
		}
		if r.out.Len() > mostText {
			return errFull
		}
	}
}

// attribute returns the value of the attribute with this local name, or "".
func attribute(element xml.StartElement, name string) string {
	for _, one := range element.Attr {
		if one.Name.Local == name {
			return one.Value
		}
	}
	return ""
}

// prose writes paragraphs, headings, lists and tables for Office Open XML and OpenDocument files.
type prose struct {
	r     *reader
	text  int // nesting depth of elements with text
	cells int // nesting depth of table cells
	front string
	line  strings.Builder
}

func (p *prose) end(mark string) {
	line := strings.TrimRight(p.line.String(), " ")
	p.line.Reset()
	if p.cells > 0 {
		if line != "" {
			p.r.out.WriteString(line + " ")
		}
		return
	}
	if line != "" {
		line = p.front + line
	}
	p.front = ""
	p.r.out.WriteString(line + mark)
}

// office is the token handler for Office Open XML files.
func (p *prose) office(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		switch token.Name.Local {
		case "t":
			p.text++
		case "tab":
			p.line.WriteByte('\t')
		case "br", "cr":
			p.line.WriteByte('\n')
		case "pStyle":
			if level, heading := strings.CutPrefix(attribute(token, "val"), "Heading"); heading {
				n, _ := strconv.Atoi(level)
				p.front = strings.Repeat("#", min(max(n, 1), 6)) + " "
			}
		case "numPr":
			p.front = "- "
		case "tc":
			p.cells++
		}
	case xml.EndElement:
		switch token.Name.Local {
		case "t":
			p.text--
		case "p":
			p.end("\n")
		case "tc":
			p.cells--
			p.r.out.WriteByte('\t')
		case "tr":
			p.r.out.WriteByte('\n')
		}
	case xml.CharData:
		if p.text > 0 {
			p.line.Write(token)
		}
	}
	return nil
}

func (r *reader) word() error { return r.eachToken("word/document.xml", (&prose{r: r}).office) }

// slides writes all slides to r.out in numerical order.
func (r *reader) slides() error {
	var numbers []int
	for _, one := range r.archive.File {
		if rest, ok := strings.CutPrefix(one.Name, "ppt/slides/slide"); ok {
			if n, err := strconv.Atoi(strings.TrimSuffix(rest, ".xml")); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		fmt.Fprintf(&r.out, "## Slide %d\n", n)
		if err := r.eachToken(fmt.Sprintf("ppt/slides/slide%d.xml", n), (&prose{r: r}).office); err != nil {
			return err
		}
	}
	return nil
}
