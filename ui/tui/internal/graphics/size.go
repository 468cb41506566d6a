package graphics

// Protocol is a terminal's picture protocol.
type Protocol string

// The protocols. [None] shows text.
const (
	None  Protocol = ""
	Kitty Protocol = "kitty"
	ITerm Protocol = "iterm"
	Sixel Protocol = "sixel"
)

// Cell is the size of a character cell, in pixels.
type Cell struct{ Width, Height int }

// Size is the room of a picture, in cells.
type Size struct{ Columns, Rows int }

// Usual is about the shape of the cells of a terminal that does not say their size. It does
// for protocols that count in cells.
var Usual = Cell{8, 16}

// The limits of a plausible cell size.
const (
	leastCell = 3
	mostCell  = 100
)

// CellOf is the cell of a terminal of so many columns and rows that has so many pixels; ok
// is false where it does not say, or what cannot be.
func CellOf(columns, rows, width, height int) (cell Cell, ok bool) {
	if columns < 1 || rows < 1 {
		return Cell{}, false
	}
	cell = Cell{width / columns, height / rows}
	return cell, min(cell.Width, cell.Height) >= leastCell && max(cell.Width, cell.Height) <= mostCell
}

// Fit is the room that a picture of so many pixels takes within most: never more than it has
// by itself, and its sides in proportion. It is the zero Size where there is no room for it.
func Fit(width, height int, cell Cell, most Size) Size {
	if min(width, height, cell.Width, cell.Height, most.Columns, most.Rows) < 1 {
		return Size{}
	}
	shown := scaled(width, height, cell, most)
	return Size{Columns: (shown.X + cell.Width - 1) / cell.Width, Rows: (shown.Y + cell.Height - 1) / cell.Height}
}
