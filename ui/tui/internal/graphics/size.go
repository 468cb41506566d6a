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

// CellOf computes the cell size of a terminal from its size in columns and rows and its size in
// pixels. ok is false if the terminal does not report the pixels, or if the result is implausible.
func CellOf(columns, rows, width, height int) (cell Cell, ok bool) {
	if columns < 1 || rows < 1 {
		return Cell{}, false
	}
	cell = Cell{width / columns, height / rows}
	return cell, min(cell.Width, cell.Height) >= leastCell && max(cell.Width, cell.Height) <= mostCell
}

// Fit returns the size in cells for a picture with this size in pixels. The result keeps the
// picture's proportions. It is not larger than the picture or the maximum size. Fit returns the
// zero Size if there is no room.
func Fit(width, height int, cell Cell, most Size) Size {
	if min(width, height, cell.Width, cell.Height, most.Columns, most.Rows) < 1 {
		return Size{}
	}
	shown := reduceSize(width, height, cell, most)
	return Size{Columns: (shown.X + cell.Width - 1) / cell.Width, Rows: (shown.Y + cell.Height - 1) / cell.Height}
}
