package tui

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// bar is the role of the status bar.
const bar = view.Roles

// paint shows a theme, from the next frame on.
func (s *Screen) paint(name string) error {
	if err := s.frame.palette.show(name, s.screen.Colors()); err != nil {
		return err
	}
	s.screen.SetStyle(s.frame.palette.rest)
	s.frame.last, s.frame.dirty, s.frame.soon = nil, true, true
	return nil
}

// put sets a row of the frame.
func (s *Screen) put(y int, line view.Line) {
	if y >= 0 && y < len(s.frame.rows) {
		s.frame.rows[y] = line
	}
}

// flush sends the frame to the screen. Rows that are as before are not touched; in the
// others every cell is set, and set once: tcell takes a cell that was cleared and drawn
// again for a changed one, and would send it.
func (s *Screen) flush() {
	fresh := s.frame.last == nil
	if len(s.frame.last) != len(s.frame.rows) {
		s.frame.last, fresh = nil, true
	}
	for y, line := range s.frame.rows {
		if s.frame.last != nil && slices.Equal(line, s.frame.last[y]) {
			continue
		}
		rest, behind, x, end := s.frame.palette.rest, tcell.ColorDefault, 0, s.frame.width
		if y >= 1 && y <= s.frame.bar.page {
			end-- // the scroll bar's
		}
		for _, span := range line {
			style := s.frame.palette.roles[span.Role]
			if ground := s.frame.palette.grounds[span.Role]; ground != tcell.ColorDefault {
				behind, rest = ground, rest.Background(ground)
			} else if span.Role == view.NoGround {
				behind, rest = tcell.ColorDefault, s.frame.palette.rest
			} else if behind != tcell.ColorDefault && span.Role != view.AddedWord && span.Role != view.RemovedWord {
				style = style.Background(behind)
			}
			if span.Address != "" { // rows of one link are shown as one
				style = style.Url(span.Address).UrlId(linkID(span.Address))
			}
			x = s.putText(x, y, span.Text, style)
		}
		for ; x < end; x++ {
			s.screen.Put(x, y, " ", rest)
		}
	}
	s.frame.last = s.frame.rows
	s.flushBar()
	showPictures(s, fresh)
}

// linkID is a short name for an address, by which a terminal knows what belongs together.
func linkID(address string) string {
	sum := fnv.New32a()
	io.WriteString(sum, address)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// flushBar draws the scroll bar over the last column of the transcript, which is left
// free for it.
func (s *Screen) flushBar() {
	for y := 1; y <= s.frame.bar.page; y++ {
		text, style := " ", s.frame.palette.rest
		if y >= s.frame.bar.top && y < s.frame.bar.top+s.frame.bar.size {
			text, style = s.frame.palette.drawn("▐"), s.frame.palette.roles[view.Faint]
		}
		s.screen.Put(s.frame.width-1, y, text, style)
	}
}

// putText draws text and says in which cell it ends. It is the last gate to the
// terminal, which obeys what it is sent: tcell passes control characters on.
func (s *Screen) putText(x, y int, text string, style tcell.Style) int {
	text, state := termsafe.String(text), -1
	for text != "" && x < s.frame.width {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		if cluster == "\t" || cluster == "\n" {
			cluster, cells = " ", 1
		}
		if cells == 0 || x+cells > s.frame.width {
			continue
		}
		if s.frame.palette.ASCII {
			for _, char := range s.frame.palette.drawn(cluster) {
				s.screen.Put(x, y, string(char), style)
				x++
			}
			continue
		}
		s.screen.Put(x, y, cluster, style)
		x += cells
	}
	return x
}
