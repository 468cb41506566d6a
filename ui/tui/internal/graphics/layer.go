package graphics

import (
	"fmt"
	"image"
	"slices"
)

// Place is a picture at a position on the screen. X and Y count cells from the upper left corner.
// Key distinguishes two places that show the same picture.
type Place struct {
	Key   uint32
	Image *Image
	X, Y  int
}

// Area returns the area that the picture covers, in cells.
func (p Place) Area() image.Rectangle {
	return image.Rect(p.X, p.Y, p.X+p.Image.Size.Columns, p.Y+p.Image.Size.Rows)
}

// Layer tracks the pictures on a terminal. The zero value draws no pictures. Only the screen's loop
// uses a Layer.
type Layer struct {
	Protocol Protocol
	shown    []Place
	wanted   []Place
	known    []uint32 // IDs of the pictures that kitty stores, oldest first
	gone     []byte   // output that removes pictures; only used if Protocol is Kitty
}

// mostKnown limits the number of pictures that the terminal stores. Pictures in the next frame are
// never removed.
const mostKnown = 24

// HasAny reports whether any picture is on the terminal.
func (l *Layer) HasAny() bool { return len(l.shown) > 0 }

// Has reports whether the picture is on the terminal at its position.
func (l *Layer) Has(place Place) bool { return slices.Contains(l.shown, place) }

// Knows reports whether the terminal already stores a picture.
func (l *Layer) Knows(made *Image) bool {
	return l.Protocol == Kitty && slices.Contains(l.known, made.id)
}

// SetNext sets the pictures for the next frame, and returns the areas that the frame must redraw.
// willWrite reports whether the frame will write to an area. Except in kitty's protocol, such a
// write erases a picture, and [Layer.Draw] draws the picture again.
func (l *Layer) SetNext(wanted []Place, willWrite func(image.Rectangle) bool) (stale []image.Rectangle) {
	l.wanted = wanted
	var stay []Place
	for _, place := range l.shown {
		switch {
		case slices.Contains(wanted, place) && (l.Protocol == Kitty || !willWrite(place.Area())):
			stay = append(stay, place)
		case l.Protocol == Kitty:
			l.gone = fmt.Appendf(l.gone, "\x1b_Ga=d,d=i,i=%d,p=%d,q=2\x1b\\", place.Image.id, place.Key)
		default:
			stale = append(stale, place.Area())
		}
	}
	l.shown = stay
	return stale
}

// Draw returns the output that draws the missing pictures and, in kitty's protocol, removes the
// unwanted ones. The output must be sent after the frame.
func (l *Layer) Draw() []byte {
	out := l.gone
	l.gone = nil
	for _, place := range l.wanted {
		if slices.Contains(l.shown, place) {
			continue
		}
		l.shown = append(l.shown, place)
		out = fmt.Appendf(out, "\x1b[%d;%dH", place.Y+1, place.X+1)
		if l.Protocol != Kitty {
			out = append(out, place.Image.send...)
			continue
		}
		out = l.sendPicture(out, place.Image)
		out = fmt.Appendf(out, "\x1b_Ga=p,i=%d,p=%d,c=%d,r=%d,C=1,q=2\x1b\\", place.Image.id, place.Key, place.Image.Size.Columns, place.Image.Size.Rows)
	}
	if len(out) == 0 {
		return nil
	}
	return slices.Concat([]byte("\x1b7"), out, []byte("\x1b8")) // save and restore the cursor
}

// sendPicture appends the output that sends a picture, if the terminal does not store the picture
// yet. If the number of stored pictures exceeds mostKnown, the output also removes the oldest
// unneeded pictures.
func (l *Layer) sendPicture(out []byte, made *Image) []byte {
	if slices.Contains(l.known, made.id) {
		return out
	}
	out, l.known = append(out, made.send...), append(l.known, made.id)
	for i := 0; i < len(l.known) && len(l.known) > mostKnown; {
		id := l.known[i]
		if slices.ContainsFunc(l.wanted, func(place Place) bool { return place.Image.id == id }) {
			i++
			continue
		}
		out, l.known = appendRemoval(out, id), slices.Delete(l.known, i, i+1)
	}
	return out
}

// appendRemoval appends the output that removes a picture from the screen and from the terminal's
// memory.
func appendRemoval(out []byte, id uint32) []byte {
	return fmt.Appendf(out, "\x1b_Ga=d,d=I,i=%d,q=2\x1b\\", id)
}

// Forget makes the next [Layer.Draw] draw all pictures again. It returns the areas that the next
// frame must redraw.
func (l *Layer) Forget() (stale []image.Rectangle) {
	l.gone = append(l.gone, l.Leave()...)
	if l.Protocol != Kitty {
		for _, place := range l.shown {
			stale = append(stale, place.Area())
		}
	}
	l.shown, l.known = nil, nil
	return stale
}

// Leave returns the output that must be sent before another program uses the terminal. If the
// protocol is [Kitty], the output removes all pictures. Otherwise, the pictures disappear together
// with the alternate screen.
func (l *Layer) Leave() (out []byte) {
	for _, id := range l.known {
		out = appendRemoval(out, id)
	}
	return out
}
