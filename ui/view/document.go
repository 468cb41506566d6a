package view

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"marvin/ui/internal/gfm"
)

// The maximum sizes of blocks, in bytes. A longer block is cut, because each added word causes the
// last block to be parsed again. Cutting a paragraph at a line break does not change how it looks.
const (
	longText  = 2 << 10  // paragraphs and headings
	longList  = 4 << 10  // lists, which are cut where an item begins
	longBlock = 16 << 10 // other blocks, and long list items
)

// document is the layout of a growing Markdown text. All blocks except the last are finished, and
// their layout no longer changes.
type document struct {
	width   int // width of the rows, including their margin
	lines   []Line
	settled int // number of rows that no longer change
	begun   bool
	notes   []Line // footnotes, after everything else

	done  int // number of bytes in the settled rows
	tried int // number of bytes already searched for finished blocks
	seen  int // number of bytes that have been laid out
	code  *fenced

	apart  bool // hold footnotes back
	listed bool // whether tables are shown as lists
}

func (d *document) reader(text string) markdown {
	return markdown{source: []byte(text), width: d.width - 2, listed: d.listed}
}

// Markdown lays out a complete text, with a margin of two columns.
func Markdown(text string, width int) []Line {
	whole := document{width: width}
	return whole.layOut(text)
}

// layOut returns the rows of a growing text. Each text must begin with the previous text.
func (d *document) layOut(text string) []Line {
	if len(text) == d.seen {
		return d.lines
	}
	d.seen = len(text)
	d.lines = d.lines[:d.settled]
	d.body(text)
	return d.lines
}

// body lays out text[d.done:] and then the footnotes.
func (d *document) body(text string) {
	whole := strings.LastIndexByte(text, '\n') + 1
	for d.tried < whole && d.advance(text, whole) {
	}
	d.tried = whole
	if d.code != nil {
		d.show(d.code.openRows(text[d.done:]))
		d.appendNotes(d.notes)
		return
	}
	rest := text[d.done:]
	reader := d.reader(rest)
	begun, notes := d.begun, d.notes[:len(d.notes):len(d.notes)]
	for node := gfm.Parse(reader.source).FirstChild(); node != nil; node = node.NextSibling() {
		if note, ok := node.(*gfm.Note); ok {
			notes = append(notes, reader.note(note, reader.width)...)
			continue
		}
		d.gap(text, d.done+start(rest, node))
		d.show(reader.block(node, reader.width))
	}
	d.appendNotes(notes)
	d.begun = begun
}

// appendNotes appends an empty row and the footnotes.
func (d *document) appendNotes(notes []Line) {
	if len(notes) == 0 || d.apart {
		return
	}
	if d.begun {
		d.lines = append(d.lines, nil)
	}
	d.show(notes)
}

// advance lays out finished blocks of text[:whole], where whole is the position after a line break.
// It returns false if no finished block is left.
func (d *document) advance(text string, whole int) bool {
	if d.code != nil {
		rows, used, closed := d.code.readLines(text[d.done:whole])
		d.show(rows)
		d.settle(d.done + used)
		if closed {
			d.code = nil
		}
		return closed && d.done < whole
	}
	end := whole
	if end-d.done > 2*longBlock { // do not search the shown part again
		end = d.done + 2*longBlock + strings.IndexByte(text[d.done+2*longBlock:], '\n') + 1
	}
	part := text[d.done:end]
	reader := d.reader(part)
	for node := gfm.Parse(reader.source).FirstChild(); node != nil; node = node.NextSibling() {
		from, to := start(part, node), len(part)
		next := node.NextSibling()
		if next != nil {
			to = start(part, next)
		}
		base := end - len(part)
		if note, ok := node.(*gfm.Note); ok && next != nil {
			d.notes = append(d.notes, reader.note(note, reader.width)...)
			d.settle(base + to)
			continue
		}
		d.gap(text, base+from)
		if _, ok := node.(*ast.FencedCodeBlock); ok {
			d.settle(base + from)
			d.code = openFence(part[from:to], d.width-2)
			return true
		}
		if cut := cutAt(part, node, from, to); cut > 0 {
			d.paragraphs(part[from:cut])
			d.settle(base + cut)
			return true
		}
		if next == nil {
			d.lines = d.lines[:d.settled] // remove the gap; it is added again with the block
			d.done = base + from
			return end < whole && from > 0
		}
		d.show(reader.block(node, reader.width))
		d.settle(base + to)
	}
	return false
}

// cutAt returns the position at which to cut a long block, or 0 for no cut. The result must not
// depend on later text, which can turn the last line into a table header. cutAt therefore ignores
// the last line of the last block.
func cutAt(text string, node ast.Node, from, to int) int {
	limit := longBlock
	switch node := node.(type) {
	case *ast.Paragraph, *ast.Heading:
		limit = longText
	case *ast.List:
		for item := node.FirstChild(); item != nil; item = item.NextSibling() {
			if begin := start(text, item); begin >= from+longList {
				return begin
			}
		}
	}
	if node.NextSibling() == nil {
		to = strings.LastIndexByte(text[:max(to-1, 0)], '\n') + 1
	}
	if to-from <= limit {
		return 0
	}
	return from + limit + strings.IndexByte(text[from+limit:], '\n') + 1
}

func (d *document) paragraphs(part string) {
	reader := d.reader(part)
	for node := gfm.Parse(reader.source).FirstChild(); node != nil; node = node.NextSibling() {
		d.show(reader.block(node, reader.width))
	}
}

func (d *document) settle(done int) { d.settled, d.done = len(d.lines), done }

// show appends rows and adds a margin to them. The margin of the document's first row contains a
// bullet.
func (d *document) show(rows []Line) {
	for _, row := range rows {
		margin := Span{Role: Plain, Part: Margin, Text: "  "}
		if !d.begun {
			margin, d.begun = Span{Role: Assistant, Part: Margin, Text: "● "}, true
		}
		if len(row) == 0 && margin.Role == Plain {
			d.lines = append(d.lines, nil)
			continue
		}
		d.lines = append(d.lines, append(Line{margin}, row...))
	}
}

// gap adds an empty row if the text has an empty line before the given position.
func (d *document) gap(text string, at int) {
	if d.begun && blankBefore(text, at) {
		d.lines = append(d.lines, nil)
	}
}

func blankBefore(text string, at int) bool {
	above := strings.TrimRight(text[:at], " \t")
	above, broken := strings.CutSuffix(above, "\n")
	return broken && strings.HasSuffix(strings.TrimRight(above, " \t"), "\n")
}

// start returns the position of a block's first line.
func start(text string, node ast.Node) int {
	return strings.LastIndexByte(text[:max(node.Pos(), 0)], '\n') + 1
}

// Codes returns the code blocks of an answer, so that the user can copy them.
func (b *Block) Codes() []string {
	if b.Kind != Answer {
		return nil
	}
	var found []string
	source := []byte(b.text.String())
	_ = ast.Walk(gfm.Parse(source), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, ok := node.(*ast.FencedCodeBlock); ok && entering {
			found = append(found, string(fence.Lines().Value(source)))
		}
		return ast.WalkContinue, nil
	})
	return found
}
