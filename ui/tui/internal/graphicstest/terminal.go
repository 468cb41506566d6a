package graphicstest

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// Picture is a complete picture on the screen.
type Picture struct {
	Area  image.Rectangle // in cells
	Image image.Image
}

// Terminal is a simulated terminal. A picture in kitty's protocol covers the text until the picture
// is deleted. A picture in another protocol loses each cell that text overwrites.
type Terminal struct {
	Width, Height         int
	CellWidth, CellHeight int
	Wrong                 []string // the program's protocol errors
	Sent                  int      // number of bytes received for pictures

	x, y, savedX, savedY int
	top, bottom          int
	alternate            bool
	unread               string // start of an incomplete sequence

	placed   map[placement]Picture // pictures placed by kitty commands
	known    map[string]image.Image
	arriving *transmission
	drawn    []*inCells
}

// placement contains the ID of a picture and the number of a placement, as kitty's protocol defines
// them.
type placement struct{ id, number string }

// inCells is a picture that text can overwrite cell by cell.
type inCells struct {
	Picture
	left map[image.Point]bool // cells that nothing has overwritten
}

// New returns a terminal of width × height cells. The cell size is in pixels.
func New(width, height, cellWidth, cellHeight int) *Terminal {
	return &Terminal{
		Width: width, Height: height, CellWidth: cellWidth, CellHeight: cellHeight, bottom: height - 1,
		placed: map[placement]Picture{}, known: map[string]image.Image{},
	}
}

// Resize changes the size of the window.
func (t *Terminal) Resize(width, height int) {
	t.Width, t.Height, t.top, t.bottom = width, height, 0, height-1
}

// Pictures returns the complete pictures on the screen, from top to bottom.
func (t *Terminal) Pictures() []Picture {
	shown := slices.Collect(maps.Values(t.placed))
	for _, one := range t.drawn {
		if len(one.left) == one.Area.Dx()*one.Area.Dy() {
			shown = append(shown, one.Picture)
		}
	}
	slices.SortFunc(shown, func(a, b Picture) int {
		return (a.Area.Min.Y-b.Area.Min.Y)*10_000 + a.Area.Min.X - b.Area.Min.X
	})
	return shown
}

// LeftoverCells returns the cells that still show a piece of an incomplete picture.
func (t *Terminal) LeftoverCells() (cells []image.Point) {
	for _, one := range t.drawn {
		if len(one.left) < one.Area.Dx()*one.Area.Dy() {
			cells = slices.AppendSeq(cells, maps.Keys(one.left))
		}
	}
	return cells
}

// Known returns the number of pictures that the terminal stores for kitty's protocol.
func (t *Terminal) Known() int { return len(t.known) }

func (t *Terminal) wrong(format string, values ...any) {
	t.Wrong = append(t.Wrong, fmt.Sprintf(format, values...))
}

// Write receives a program's output. A partial sequence continues in the next write.
func (t *Terminal) Write(out string) {
	out, t.unread = t.unread+out, ""
	for out != "" {
		switch {
		case strings.HasPrefix(out, "\x1b["):
			end := strings.IndexFunc(out[2:], func(char rune) bool { return char >= '@' && char <= '~' })
			if end < 0 {
				t.unread = out
				return
			}
			t.control(out[2:2+end], out[2+end])
			out = out[3+end:]
		case strings.HasPrefix(out, "\x1b]"), strings.HasPrefix(out, "\x1bP"), strings.HasPrefix(out, "\x1b_"):
			rest, ok := t.stringSequence(out)
			if !ok {
				t.unread = out
				return
			}
			out = rest
		case out == "\x1b", out == "\x1b(":
			t.unread = out
			return
		case out[0] == '\x1b':
			out = t.short(out)
		case out[0] < ' ':
			t.single(out[0])
			out = out[1:]
		default:
			end := strings.IndexFunc(out, func(char rune) bool { return char < ' ' })
			if end < 0 {
				end = len(out)
			}
			t.text(out[:end])
			out = out[end:]
		}
	}
}

func (t *Terminal) short(out string) string {
	n := 2
	switch {
	case strings.HasPrefix(out, "\x1b7"):
		t.savedX, t.savedY = t.x, t.y
	case strings.HasPrefix(out, "\x1b8"):
		t.x, t.y = t.savedX, t.savedY
	case strings.HasPrefix(out, "\x1bM"):
		t.checkNoPicture(t.y == t.top)
		t.y = max(t.y-1, 0)
	case strings.HasPrefix(out, "\x1b("):
		n = 3
	}
	return out[min(n, len(out)):]
}

func (t *Terminal) single(char byte) {
	switch char {
	case '\n':
		t.checkNoPicture(t.y == t.bottom)
		t.y = min(t.y+1, t.bottom)
	case '\r':
		t.x = 0
	case '\b':
		t.x--
	}
}

// checkNoPicture records an error if rows move while a picture is on the screen. The effect on the
// picture depends on the terminal.
func (t *Terminal) checkNoPicture(moves bool) {
	if moves && (len(t.placed) > 0 || slices.ContainsFunc(t.drawn, func(one *inCells) bool { return len(one.left) > 0 })) {
		t.wrong("rows were moved while a picture was on the screen")
	}
}

func (t *Terminal) control(args string, kind byte) {
	switch args + string(kind) {
	case "?1049h":
		t.alternate = true
	case "?1049l":
		t.alternate, t.drawn = false, nil // the alternate screen has its own cells
	}
	numbers := []int{1, 1}
	for i, part := range strings.SplitN(args, ";", 2) {
		if n, err := strconv.Atoi(part); err == nil {
			numbers[i] = n
		}
	}
	switch kind {
	case 'H':
		t.y, t.x = numbers[0]-1, numbers[1]-1
	case 'r':
		if t.top, t.bottom = 0, t.Height-1; args != "" {
			t.top, t.bottom = numbers[0]-1, numbers[1]-1
		}
		t.x, t.y = 0, 0
	case 'J':
		clear(t.placed)
		t.drawn = nil
	}
}

// text simulates the output of a string at the cursor.
func (t *Terminal) text(text string) {
	for state := -1; text != ""; {
		var width int
		_, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		for range width {
			for _, one := range t.drawn {
				delete(one.left, image.Pt(t.x, t.y))
			}
			t.x++
		}
	}
}

// draw puts a picture into the cells at the cursor.
func (t *Terminal) draw(shown image.Image, columns, rows int) {
	area := image.Rect(t.x, t.y, t.x+columns, t.y+rows)
	t.inside(area)
	one := &inCells{Picture{area, shown}, map[image.Point]bool{}}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			for _, other := range t.drawn {
				delete(other.left, image.Pt(x, y))
			}
			one.left[image.Pt(x, y)] = true
		}
	}
	t.drawn = append(slices.DeleteFunc(t.drawn, func(old *inCells) bool { return len(old.left) == 0 }), one)
}

func (t *Terminal) inside(area image.Rectangle) {
	if !area.In(image.Rect(0, 0, t.Width, t.Height)) {
		t.wrong("a picture at %v on a screen of %d×%d", area, t.Width, t.Height)
	}
	if !t.alternate {
		t.wrong("a picture at %v on the main screen, where the shell writes", area)
	}
}
