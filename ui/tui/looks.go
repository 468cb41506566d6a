package tui

import "marvin/ui/tui/internal/canvas"

// These types of package canvas are for packages that start the screen.
type (
	Looks  = canvas.Looks
	Ground = canvas.Ground
)

// These constants of package canvas are the backgrounds, and the time between two frames.
const (
	Dark    = canvas.Dark
	Light   = canvas.Light
	Unknown = canvas.Unknown
	Frame   = canvas.Frame
)
