package graphics

// Protocol is a terminal's picture protocol.
type Protocol string

// The protocols. With [None], pictures are shown as text.
const (
	None  Protocol = ""
	Kitty Protocol = "kitty"
	ITerm Protocol = "iterm"
	Sixel Protocol = "sixel"
)

// Cell is the size of a character cell, in pixels.
type Cell struct{ Width, Height int }

// Size is the size of a picture, in cells.
type Size struct{ Columns, Rows int }

// DefaultCell is the cell size that Marvin assumes if the terminal does not report it. It is only
// approximate, which is sufficient for protocols that measure in cells.
var DefaultCell = Cell{8, 16}

// The limits of a plausible cell size.
const (
	leastCell = 3
	mostCell  = 100
)

// CellOf computes the cell size of a terminal from the terminal's size in cells and in pixels. ok
// is false if the terminal does not report its size in pixels, or if the result is implausible.
func CellOf(columns, rows, width, height int) (cell Cell, ok bool) {
	if columns < 1 || rows < 1 {
		return Cell{}, false
	}
	cell = Cell{width / columns, height / rows}
	return cell, min(cell.Width, cell.Height) >= leastCell && max(cell.Width, cell.Height) <= mostCell
}

// Fit returns the size in cells at which to draw a picture of width × height pixels. Fit keeps the
// picture's proportions, never enlarges the picture, and stays within the given limit. It returns
// the zero Size if there is no room.
func Fit(width, height int, cell Cell, limit Size) Size {
	if min(width, height, cell.Width, cell.Height, limit.Columns, limit.Rows) < 1 {
		return Size{}
	}
	shown := reduceSize(width, height, cell, limit)
	return Size{Columns: (shown.X + cell.Width - 1) / cell.Width, Rows: (shown.Y + cell.Height - 1) / cell.Height}
}
