package tui_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// display simulates a terminal. It interprets cursor addresses, scroll regions and text, which are
// all that a frame contains. Of colors it knows only whether a cell has a background.
type display struct {
	width, height int
	cells         [][]string // "" behind a wide character
	grounds       [][]bool
	ground        bool // of the next writes
	x, y          int
	top, bottom   int

	savedX, savedY int
}

func newDisplay(width, height int) *display {
	g := &display{width: width, height: height, bottom: height - 1}
	for range height {
		g.cells, g.grounds = append(g.cells, blank(width)), append(g.grounds, make([]bool, width))
	}
	return g
}

func blank(width int) []string {
	row := make([]string, width)
	for i := range row {
		row[i] = " "
	}
	return row
}

func (g *display) write(out string) {
	for out != "" {
		switch {
		case strings.HasPrefix(out, "\x1b["):
			end := 2
			for end < len(out)-1 && (out[end] < '@' || out[end] > '~') {
				end++
			}
			g.control(out[2:end], out[end])
			out = out[end+1:]
		case strings.HasPrefix(out, "\x1bM"):
			if g.y == g.top {
				copy(g.cells[g.top+1:g.bottom+1], g.cells[g.top:g.bottom])
				copy(g.grounds[g.top+1:g.bottom+1], g.grounds[g.top:g.bottom])
				g.cells[g.top], g.grounds[g.top] = blank(g.width), make([]bool, g.width)
			} else {
				g.y--
			}
			out = out[2:]
		case strings.HasPrefix(out, "\x1b_"), strings.HasPrefix(out, "\x1bP"), strings.HasPrefix(out, "\x1b]"): // a picture, the clipboard, a link
			end := strings.IndexAny(out[1:], "\x1b\a")
			out = out[min(1+max(end, 0), len(out)):]
			out = strings.TrimPrefix(strings.TrimPrefix(out, "\a"), "\x1b\\")
		case strings.HasPrefix(out, "\x1b7"), strings.HasPrefix(out, "\x1b8"):
			if out[1] == '7' {
				g.savedX, g.savedY = g.x, g.y
			} else {
				g.x, g.y = g.savedX, g.savedY
			}
			out = out[2:]
		case out[0] == '\x1b': // a charset or a mode of the keypad
			n := 2
			if len(out) > 1 && out[1] == '(' {
				n = 3
			}
			out = out[min(n, len(out)):]
		case out[0] == '\n':
			if g.y == g.bottom {
				copy(g.cells[g.top:g.bottom], g.cells[g.top+1:g.bottom+1])
				copy(g.grounds[g.top:g.bottom], g.grounds[g.top+1:g.bottom+1])
				g.cells[g.bottom], g.grounds[g.bottom] = blank(g.width), make([]bool, g.width)
			} else {
				g.y++
			}
			out = out[1:]
		case out[0] < ' ':
			if out[0] == '\b' {
				g.x--
			}
			out = out[1:]
		default:
			n := strings.IndexFunc(out, func(r rune) bool { return r < ' ' })
			if n < 0 {
				n = len(out)
			}
			g.text(out[:n])
			out = out[n:]
		}
	}
}

func (g *display) text(text string) {
	for state := -1; text != ""; {
		var cluster string
		var width int
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		if width == 0 || g.x >= g.width || g.x < 0 || g.y < 0 || g.y >= g.height { // of another size
			continue
		}
		row := g.cells[g.y]
		for x := g.x; x < min(g.x+width, g.width); x++ {
			g.grounds[g.y][x] = g.ground
		}
		if row[g.x] == "" && g.x > 0 {
			row[g.x-1] = " " // half of a wide character goes with the other
		}
		row[g.x] = cluster
		if width == 2 && g.x+1 < g.width {
			row[g.x+1] = ""
		} else if g.x+1 < g.width && row[g.x+1] == "" {
			row[g.x+1] = " "
		}
		g.x += width
	}
}

func (g *display) control(args string, kind byte) {
	numbers := []int{1, 1}
	for i, part := range strings.SplitN(args, ";", 2) {
		if n, err := strconv.Atoi(part); err == nil {
			numbers[i] = n
		} else if part == "" && kind == 'r' {
			numbers = []int{1, g.height}
		}
	}
	switch kind {
	case 'm':
		g.colour(args)
	case 'H':
		g.y, g.x = numbers[0]-1, numbers[1]-1
	case 'r':
		g.top, g.bottom, g.x, g.y = min(numbers[0], g.height)-1, min(numbers[1], g.height)-1, 0, 0
	case 'J':
		for y := range g.cells {
			g.cells[y], g.grounds[y] = blank(g.width), slices.Repeat([]bool{g.ground}, g.width)
		}
	case 'K':
		for x := g.x; x < g.width && g.y < g.height; x++ {
			g.cells[g.y][x], g.grounds[g.y][x] = " ", g.ground
		}
	}
}

// colour interprets a sequence for colors and records whether text has a background.
func (g *display) colour(args string) {
	parts := strings.FieldsFunc(args, func(char rune) bool { return char == ';' || char == ':' })
	if len(parts) == 0 {
		g.ground = false
	}
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "0", "49":
			g.ground = false
		case "38", "48":
			g.ground = g.ground || parts[i] == "48"
			if i++; i < len(parts) && parts[i] == "5" {
				i++
			} else {
				i += 3
			}
		}
	}
}

// bare returns the position of the first cell without a background, or "".
func (g *display) bare() string {
	for y, row := range g.grounds {
		if x := slices.Index(row, false); x >= 0 {
			return fmt.Sprintf("%d, %d", x, y)
		}
	}
	return ""
}

func (g *display) rows() []string {
	var rows []string
	for _, row := range g.cells {
		rows = append(rows, strings.TrimRight(strings.Join(row, ""), " ▐"))
	}
	return rows
}

func (g *display) String() string { return strings.Join(g.rows(), "\n") }
