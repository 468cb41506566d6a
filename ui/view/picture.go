package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// Picture is an image that belongs to a prompt or a result.
type Picture struct {
	messages.Picture
	Number uint32 // number in the conversation, counted from 1
	Sum    string // content hash, set by a front end
	Failed string // why a front end cannot draw the picture, or "" if it can
}

// Label describes the picture: its name, kind and size.
func (p *Picture) Label() string {
	label := cmp.Or(strings.TrimSpace(oneLine(p.Name)), "a picture") + " · " + strings.TrimPrefix(oneLine(p.Type), "image/")
	if p.Width > 0 && p.Height > 0 {
		label += fmt.Sprintf(" · %d×%d", p.Width, p.Height)
	}
	return label + " · " + messages.Bytes(len(p.Data))
}

// album contains the pictures below a block.
type album struct{ pictures []*Picture }

func (b *Block) pictures() []*Picture {
	if b.album == nil {
		return nil
	}
	return b.album.pictures
}

// mostPictures and pictureBytes limit the pictures that are kept for drawing. When a limit is
// exceeded, the oldest pictures are no longer drawn.
const (
	mostPictures = 64
	pictureBytes = 24 << 20
)

// show adds pictures to a block.
func (v *View) show(block *Block, pictures []messages.Picture) {
	for _, one := range pictures {
		if len(one.Data) == 0 { // the data was removed
			continue
		}
		v.shown++
		picture := &Picture{Picture: one, Number: v.shown}
		if block.album == nil {
			block.album = &album{}
		}
		block.album.pictures = append(block.album.pictures, picture)
		v.pictures = append(v.pictures, picture)
	}
	kept := 0
	for i := len(v.pictures) - 1; i >= 0; i-- {
		kept += len(v.pictures[i].Data)
		if len(v.pictures)-i <= mostPictures && kept <= pictureBytes {
			continue
		}
		for _, old := range v.pictures[:i+1] {
			old.Data = nil
		}
		v.pictures = append([]*Picture(nil), v.pictures[i+1:]...)
		return
	}
}

// pictureRows returns the number of rows that a picture occupies.
func pictureRows(w *Window, block *Block, picture *Picture) int {
	switch {
	case w.Room == nil || block.fold == folded || len(picture.Data) == 0:
		return 0
	case picture.Failed != "":
		return 1 // the row that explains the failure
	}
	return w.Room(picture.Width, picture.Height)
}

// withPictures appends empty rows for the pictures of a block. A picture that cannot be drawn gets
// a row with the reason.
func withPictures(w *Window, block *Block, lines []Line) []Line {
	if w.Room == nil || block.album == nil {
		return lines
	}
	lines = append(make([]Line, 0, len(lines)+8), lines...) // the block owns the lines
	for _, picture := range block.pictures() {
		rows := pictureRows(w, block, picture)
		if rows > 0 && picture.Failed != "" {
			lines = append(lines, Line{{Role: Faint, Text: Cut("  "+picture.Label()+" is not drawn: "+oneLine(picture.Failed), w.width)}})
			continue
		}
		lines = append(lines, make([]Line, rows)...)
	}
	return lines
}

// Place is the position of the visible part of a picture.
type Place struct {
	Picture *Picture
	Row     int // row of the window in which the visible part begins
	From    int // number of hidden rows above the visible part
	Rows    int // height of the visible part
	All     int // height of the whole picture
}

// Whole reports whether the whole picture is in the window.
func (p Place) Whole() bool { return p.Rows == p.All }

// Pictures returns the positions of all pictures that are visible after the last [Window.Show].
func Pictures(w *Window) (places []Place) {
	if w.Room == nil {
		return nil
	}
	for row, at := range w.rows {
		block := w.blocks[at.block]
		if block.album == nil {
			continue
		}
		picture, from, all := pictureAt(w, block, at.line)
		switch last := len(places) - 1; {
		case picture == nil:
		case last >= 0 && places[last].Picture == picture:
			places[last].Rows++
		default:
			places = append(places, Place{Picture: picture, Row: row, From: from, Rows: 1, All: all})
		}
	}
	return places
}

// pictureAt returns the picture that is drawn at a line of a block, or nil. row is the index of
// that line within the picture.
func pictureAt(w *Window, block *Block, line int) (picture *Picture, row, height int) {
	end := block.size.rows
	for _, picture := range slices.Backward(block.pictures()) {
		rows := pictureRows(w, block, picture)
		if line >= end-rows && line < end {
			if picture.Failed != "" {
				return nil, 0, 0
			}
			return picture, line - (end - rows), rows
		}
		end -= rows
	}
	return nil, 0, 0
}
