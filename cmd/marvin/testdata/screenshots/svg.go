package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// The measures of a picture, in pixels. A row is as high as the glyphs that draw
// lines, so that the borders of tables have no gaps.
const (
	cellWidth  = 8.43 // of the advance of the usual monospace fonts at this size, 0.602 em
	cellHeight = 17
	fontSize   = 14
	baseline   = 13
	margin     = 14
)

// ground is a terminal's own colors: what it stands on, its text, and the sixteen that a
// person's terminal would choose.
type ground struct{ paper, text, sixteen string }

var (
	dark = ground{"#16181d", "#d8dbe2", "#2b2e36 #e06c75 #98c379 #e0b567 #61afef #c678dd #56b6c2 #c8ccd4 " +
		"#6b717d #ff8088 #b5e08c #ffd787 #82c7ff #e29bf5 #7fdbe6 #ffffff"}
	light = ground{"#fbfbfa", "#24282f", "#24282f #b3261e #2f7a35 #8a5a00 #1f5fbf #8a3ea8 #0f7482 #5b616b " +
		"#6b717d #c93a31 #3b8f42 #a06b00 #2f72d8 #a04fc0 #158796 #000000"}
)

// colour is what one of the sixteen looks like; others are what they are.
func (g ground) colour(name string) string {
	if n, err := strconv.Atoi(name); err == nil {
		return strings.Fields(g.sixteen)[n]
	}
	return name
}

// palette is one of the 256 colours of xterm.
func palette(n int) string {
	switch {
	case n < 16:
		return strconv.Itoa(n)
	case n < 232:
		level := func(i int) int {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}

// svg draws the screen. Every run of text says where it begins and how long it is, because the
// columns must stay aligned even if the reader's font differs from ours.
func (s *screen) svg(title string, on ground, columns int) string {
	var out strings.Builder
	on.begin(&out, title, columns, len(s.rows))
	for y, row := range s.rows {
		on.drawRow(&out, row, y)
	}
	out.WriteString("</g>\n</svg>\n")
	return out.String()
}

// begin writes the opening elements of a picture with the given numbers of columns and rows.
func (g ground) begin(out *strings.Builder, title string, columns, rows int) {
	wide, high := float64(columns)*cellWidth+2*margin, rows*cellHeight+2*margin
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img">`+"\n", wide, high, wide, high)
	fmt.Fprintf(out, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", g.paper)
	fmt.Fprintf(out, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" fill="%s">`+"\n", fontSize, g.text)
}

// drawRow draws grounds, and what stands on them.
func (g ground) drawRow(out *strings.Builder, row []cell, y int) {
	same := func(one, other cell) bool { return g.behind(one.look) == g.behind(other.look) }
	for _, run := range runs(row, same) {
		g.drawGround(out, run, y)
	}
	for _, run := range runs(row, alike) {
		g.drawText(out, run, y)
	}
}

// runs returns the cells of a row. Neighbors that belong together are joined into one cell.
func runs(row []cell, together func(one, other cell) bool) []cell {
	var joined []cell
	for _, next := range row {
		if n := len(joined); n > 0 && together(joined[n-1], next) {
			joined[n-1].text += next.text
			joined[n-1].wide += next.wide
			continue
		}
		joined = append(joined, next)
	}
	return joined
}

// alike says whether cells can be one text. What is neither a letter of the west nor a
// line stands alone: its glyph may come from a font with other widths.
func alike(one, other cell) bool {
	return one.look == other.look && western(one.text) && western(other.text)
}

func western(text string) bool {
	for _, r := range text {
		if r >= 0x250 && (r < 0x2010 || r > 0x203a) && (r < 0x2500 || r > 0x257f) {
			return false
		}
	}
	return true
}

// colours are those of ink and ground as they appear, "" for the terminal's own.
func (g ground) colours(l look) (ink, behind string) {
	ink, behind = g.colour(l.fore), g.colour(l.back)
	if l.reversed {
		return cmp.Or(behind, g.paper), cmp.Or(ink, g.text)
	}
	return ink, behind
}

// behind is the ground of a character, "" where it is the terminal's own.
func (g ground) behind(l look) string {
	if _, behind := g.colours(l); behind != g.paper {
		return behind
	}
	return ""
}

// drawGround fills the cells of a run, if they have a colour of their own.
func (g ground) drawGround(out *strings.Builder, c cell, y int) {
	if behind := g.behind(c.look); behind != "" {
		fmt.Fprintf(out, `<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"/>`+"\n",
			margin+float64(c.x)*cellWidth, margin+y*cellHeight, float64(c.wide)*cellWidth, cellHeight, behind)
	}
}

// drawText writes a run without the spaces around it.
func (g ground) drawText(out *strings.Builder, c cell, y int) {
	shown := strings.TrimLeft(c.text, " ")
	before := len(c.text) - len(shown)
	cells := c.wide - before
	cells -= len(shown) - len(strings.TrimRight(shown, " "))
	if shown = strings.TrimRight(shown, " "); shown == "" {
		return
	}
	fmt.Fprintf(out, `<text x="%.2f" y="%d" textLength="%.2f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		margin+float64(c.x+before)*cellWidth, margin+y*cellHeight+baseline, float64(cells)*cellWidth, g.attributes(c.look), escaped(shown))
}

func (g ground) attributes(l look) string {
	var out strings.Builder
	ink, _ := g.colours(l)
	for _, each := range []struct {
		on   bool
		text string
	}{
		{ink != "" && ink != g.text, ` fill="` + ink + `"`},
		{l.dim, ` opacity="0.6"`},
		{l.bold, ` font-weight="bold"`},
		{l.italic, ` font-style="italic"`},
		{l.underline && l.struck, ` text-decoration="underline line-through"`},
		{l.underline && !l.struck, ` text-decoration="underline"`},
		{l.struck && !l.underline, ` text-decoration="line-through"`},
	} {
		if each.on {
			out.WriteString(each.text)
		}
	}
	return out.String()
}

// escaped is text as XML has it. Spaces behind a space are hard ones: not every reader
// of SVG keeps the others.
func escaped(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(strings.ReplaceAll(text, "  ", " \u00a0"))); err != nil {
		panic(err) // a Builder takes everything
	}
	return out.String()
}
