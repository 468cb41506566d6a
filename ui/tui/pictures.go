package tui

import (
	"image"
	"slices"
	"time"

	"marvin/ui/tui/internal/canvas"
	"marvin/ui/tui/internal/graphics"
	"marvin/ui/view"
)

// Images contains the settings for drawing pictures. With the zero value, pictures are shown as
// text.
type Images struct {
	Protocol string // "kitty", "iterm" or "sixel"; "" to show text instead
	Ask      bool   // true to check for sixel support before drawing
	// Width and Height are the size of a cell in pixels. If either is 0, Marvin uses the size that
	// the terminal reports.
	Width, Height int
}

const (
	// pictureMargin is the number of columns to the left of a picture.
	pictureMargin = 2
	// pictureColumns is the maximum width of a picture: the width of prose.
	pictureColumns = 100
	// leastPicture is the minimum number of rows that must be available for a picture.
	leastPicture = 2
	// pictureDelay is how long all pictures must stay in place before a picture is sent. Sending a
	// picture can take as long as sending a hundred rows of text.
	pictureDelay = 100 * time.Millisecond
)

// drawsPictures enables pictures if a protocol is configured and the screen is a
// [canvas.BufferedScreen].
func drawsPictures(s *Screen) {
	if _, ok := s.screen.(canvas.BufferedScreen); !ok || s.Images.Protocol == "" {
		return
	}
	s.frame.Pictures.Layer.Protocol = graphics.Protocol(s.Images.Protocol)
	measureCell(s)
	s.window.Room = func(width, height int) int {
		return pictureSize(s, width, height).Rows
	}
	s.frame.Dirty = true
}

// measureCell updates the size of a cell, which depends on the terminal's font.
func measureCell(s *Screen) {
	p := &s.frame.Pictures
	if p.Layer.Protocol == graphics.None {
		return
	}
	if s.Images.Width > 0 && s.Images.Height > 0 {
		p.Cell = graphics.Cell{Width: s.Images.Width, Height: s.Images.Height}
		return
	}
	p.Cell = graphics.Cell{}
	if p.Layer.Protocol != graphics.Sixel { // sixels are sized in pixels
		p.Cell = graphics.DefaultCell
	}
	if tty, ok := s.screen.Tty(); ok {
		if size, err := tty.WindowSize(); err == nil {
			if cell, ok := graphics.CellOf(size.Width, size.Height, size.PixelWidth, size.PixelHeight); ok {
				p.Cell = cell
			}
		}
	}
}

// pictureSize converts the size of a picture from pixels to cells. It limits the width to
// [pictureColumns], and the height to a third of the screen.
func pictureSize(s *Screen, width, height int) graphics.Size {
	most := graphics.Size{Columns: min(s.frame.Width-2*pictureMargin-1, pictureColumns), Rows: s.frame.Height / 3}
	if most.Rows < leastPicture {
		return graphics.Size{}
	}
	return graphics.Fit(width, height, s.frame.Pictures.Cell, most)
}

// beginPictures resets the pictures for a new frame.
func beginPictures(s *Screen) {
	p := &s.frame.Pictures
	p.Wanted, p.Places, p.Waits = nil, nil, false
	if s.frame.Last == nil {
		measureCell(s)
	}
}

// removePictures removes the pictures from the terminal before another program uses the terminal.
func removePictures(s *Screen) {
	if out := s.frame.Pictures.Layer.Leave(); len(out) > 0 {
		s.frame.Raw(string(out))
	}
}

// placePictures selects the pictures for this frame. A picture that is moving, partly outside the
// window or not yet prepared is replaced by a line of text.
func placePictures(s *Screen, now time.Time) {
	p := &s.frame.Pictures
	p.Places = view.Pictures(&s.window)
	if !slices.Equal(p.Places, p.Before) || len(s.incoming) > 0 { // keys are more important than pictures
		p.Moved = now
	}
	resting := now.Sub(p.Moved) >= pictureDelay
	for _, place := range p.Places {
		made := pictureMade(s, place)
		if made != nil && place.Whole() {
			at := graphics.Place{Key: place.Picture.Number, Image: made, X: pictureMargin, Y: 1 + place.Row}
			if resting || p.Layer.Knows(made) || p.Layer.Has(at) {
				p.Wanted = append(p.Wanted, at)
				continue
			}
			p.Waits = true
		}
		s.frame.Put(1+place.Row, view.Line{{Role: view.Faint, Text: view.Cut("  "+place.Picture.Label(), s.frame.Width-1)}})
	}
}

// pictureMade returns the prepared picture for a place. If there is none yet, it returns nil and
// prepares the picture outside the loop. Only one picture is prepared at a time.
func pictureMade(s *Screen, place view.Place) *graphics.Image {
	p, picture := &s.frame.Pictures, place.Picture
	key := graphics.Key{Size: pictureSize(s, picture.Width, picture.Height), Cell: p.Cell}
	if picture.Sum != "" {
		copy(key.Sum[:], picture.Sum)
		if made := p.Cache.Get(key); made != nil {
			return made
		}
	}
	if p.Making {
		return nil
	}
	p.Making = true
	content, protocol, known := picture.Data, p.Layer.Protocol, picture.Sum != ""
	s.runOutside(func() func() {
		var made *graphics.Image
		var err error
		if known {
			made, err = graphics.Prepare(content, protocol, key.Size, key.Cell, key.ID())
		} else { // the cache may already contain a picture with this hash
			key.Sum = graphics.SumOf(content)
		}
		return func() {
			p.Making = false
			switch picture.Sum = string(key.Sum[:]); {
			case err != nil:
				picture.Failed = err.Error()
			case made != nil:
				p.Cache.Put(key, made)
			}
		}
	})
	return nil
}

// showPictures sends the frame to the terminal, and then the pictures. The frame redraws the cells
// of removed pictures. If fresh is true, all pictures are drawn again.
func showPictures(s *Screen, fresh bool) {
	p := &s.frame.Pictures
	if p.Layer.Protocol == graphics.None {
		s.screen.Show()
		return
	}
	var stale []image.Rectangle
	if fresh {
		stale = p.Layer.Forget()
	}
	screen := s.screen.(canvas.BufferedScreen) // drawsPictures has checked the type
	screen.Lock()
	cells := screen.GetCells()
	stale = append(stale, p.Layer.SetNext(p.Wanted, func(area image.Rectangle) bool {
		return anyCell(area, cells.Dirty)
	})...)
	for _, area := range stale {
		anyCell(area, func(x, y int) bool { cells.SetDirty(x, y, true); return false })
	}
	screen.Unlock()
	s.screen.Show()
	if out := p.Layer.Draw(); len(out) > 0 {
		s.frame.Raw(string(out))
	}
	p.Before = p.Places
}

// anyCell reports whether match(x, y) is true for any cell in the area.
func anyCell(area image.Rectangle, match func(x, y int) bool) bool {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if match(x, y) {
				return true
			}
		}
	}
	return false
}

// picturesDue returns the time at which to draw the pending pictures. If no pictures are pending,
// the time is zero.
func picturesDue(s *Screen) time.Time {
	if !s.frame.Pictures.Waits {
		return time.Time{}
	}
	return s.frame.Pictures.Moved.Add(pictureDelay)
}
