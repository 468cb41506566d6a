package tui_test

import (
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// glass is what a terminal would show that got the bytes: cursor addresses, scroll
// regions and text, which is all that frames are made of. Colours are left out.
type glass struct {
	width, height int
	cells         [][]string // "" behind a wide character
	x, y          int
	top, bottom   int
}

func newGlass(width, height int) *glass {
	g := &glass{width: width, height: height, bottom: height - 1}
	for range height {
		g.cells = append(g.cells, blank(width))
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

func (g *glass) write(out string) {
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
				g.cells[g.top] = blank(g.width)
			} else {
				g.y--
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
				g.cells[g.bottom] = blank(g.width)
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

func (g *glass) text(text string) {
	for state := -1; text != ""; {
		var cluster string
		var width int
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		if width == 0 || g.x >= g.width {
			continue
		}
		row := g.cells[g.y]
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

func (g *glass) control(args string, kind byte) {
	numbers := []int{1, 1}
	for i, part := range strings.SplitN(args, ";", 2) {
		if n, err := strconv.Atoi(part); err == nil {
			numbers[i] = n
		} else if part == "" && kind == 'r' {
			numbers = []int{1, g.height}
		}
	}
	switch kind {
	case 'H':
		g.y, g.x = numbers[0]-1, numbers[1]-1
	case 'r':
		g.top, g.bottom, g.x, g.y = numbers[0]-1, numbers[1]-1, 0, 0
	case 'J':
		for y := range g.cells {
			g.cells[y] = blank(g.width)
		}
	case 'K':
		for x := g.x; x < g.width; x++ {
			g.cells[g.y][x] = " "
		}
	}
}

func (g *glass) rows() []string {
	var rows []string
	for _, row := range g.cells {
		rows = append(rows, strings.TrimRight(strings.Join(row, ""), " ▐"))
	}
	return rows
}

func (g *glass) String() string { return strings.Join(g.rows(), "\n") }
