package office

import (
	"encoding/xml"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// mostColumns is the maximum number of empty cells that are written before a filled one.
const mostColumns = 200

// workbook writes the sheets in order, with one line for each row.
func (r *reader) workbook() error {
	shared, err := r.sharedStrings()
	if err != nil {
		return err
	}
	targets := map[string]string{}
	if err := r.eachToken("xl/_rels/workbook.xml.rels", func(token xml.Token) error {
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "Relationship" {
			targets[attribute(element, "Id")] = attribute(element, "Target")
		}
		return nil
	}); err != nil {
		return err
	}
	type sheet struct{ name, part string }
	var all []sheet
	if err := r.eachToken("xl/workbook.xml", func(token xml.Token) error {
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "sheet" {
			target := targets[attribute(element, "id")]
			if !strings.HasPrefix(target, "/") {
				target = "/xl/" + target
			}
			all = append(all, sheet{attribute(element, "name"), strings.TrimPrefix(path.Clean(target), "/")})
		}
		return nil
	}); err != nil {
		return err
	}
	for _, one := range all {
		fmt.Fprintf(&r.out, "## %s\n", one.name)
		if !r.has(one.part) { // a chart
			continue
		}
		if err := r.eachToken(one.part, (&cells{r: r, shared: shared}).see); err != nil {
			return err
		}
	}
	return nil
}

// sharedStrings returns the strings that cells refer to by index.
func (r *reader) sharedStrings() (all []string, err error) {
	const part = "xl/sharedStrings.xml"
	if !r.has(part) {
		return nil, nil
	}
	var text strings.Builder
	inside, size := 0, 0
	return all, r.eachToken(part, func(token xml.Token) error {
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "t" {
				inside++
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "t":
				inside--
			case "si":
				if size += text.Len() + 16; size > mostText {
					return errFull
				}
				all = append(all, text.String())
				text.Reset()
			}
		case xml.CharData:
			if inside > 0 {
				text.Write(token)
			}
		}
		return nil
	})
}

// cells writes one sheet row by row. It ignores formulas.
type cells struct {
	r      *reader
	shared []string
	column int // the column after the last written cell
	at     int // the column of the current cell
	kind   string
	value  int // the number of open <v> and <t> elements
	text   strings.Builder
}

func (c *cells) see(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		switch token.Name.Local {
		case "c":
			c.kind, c.at = attribute(token, "t"), columnOf(attribute(token, "r"), c.column)
			c.text.Reset()
		case "v", "t":
			c.value++
		}
	case xml.EndElement:
		switch token.Name.Local {
		case "v", "t":
			c.value--
		case "c":
			c.put()
		case "row":
			c.r.out.WriteByte('\n')
			c.column = 0
		}
	case xml.CharData:
		if c.value > 0 {
			c.text.Write(token)
		}
	}
	return nil
}

func (c *cells) put() {
	text := c.text.String()
	if c.kind == "s" {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(c.shared) {
			text = c.shared[n]
		}
	}
	for range min(c.at-c.column, mostColumns) {
		c.r.out.WriteByte('\t')
	}
	c.r.out.WriteString(strings.Join(strings.Fields(text), " ") + "\t")
	c.column = c.at + 1
}

// columnOf returns the zero-based column of a cell such as "AB12". If the name has no column,
// columnOf returns fallback.
func columnOf(name string, fallback int) int {
	n := 0
	for _, c := range name {
		if c < 'A' || c > 'Z' || n > 1<<16 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	if n == 0 {
		return fallback
	}
	return n - 1
}

// open writes the text of an OpenDocument file to r.out.
func (r *reader) open() error {
	p := &prose{r: r}
	return r.eachToken("content.xml", func(token xml.Token) error {
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "p":
				p.text++
			case "h":
				p.text++
				level, _ := strconv.Atoi(attribute(token, "outline-level"))
				p.front = strings.Repeat("#", min(max(level, 1), 6)) + " "
			case "list-item":
				p.front = "- "
			case "tab":
				p.line.WriteByte('\t')
			case "line-break":
				p.line.WriteByte('\n')
			case "s":
				count, _ := strconv.Atoi(attribute(token, "c"))
				p.line.WriteString(strings.Repeat(" ", min(max(count, 1), 100)))
			case "table", "page":
				if name := attribute(token, "name"); name != "" && p.cells == 0 {
					r.out.WriteString("## " + name + "\n")
				}
			case "table-cell":
				p.cells++
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "p", "h":
				p.text--
				p.end("\n")
			case "table-cell":
				p.cells--
				r.out.WriteByte('\t')
			case "table-row":
				r.out.WriteByte('\n')
			}
		case xml.CharData:
			if p.text > 0 {
				p.line.Write(token)
			}
		}
		return nil
	})
}
