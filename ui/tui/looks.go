package tui

import "marvin/ui/tui/internal/canvas"

// Types from package canvas, for packages that start the screen.
type (
	Looks  = canvas.Looks
	Ground = canvas.Ground
)

// The backgrounds, and the time between two frames.
const (
	Dark    = canvas.Dark
	Light   = canvas.Light
	Unknown = canvas.Unknown
	Frame   = canvas.Frame
)
