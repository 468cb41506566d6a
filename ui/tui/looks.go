package tui

import "marvin/ui/tui/internal/canvas"

// Types from package canvas, for packages that start the screen.
type (
	Looks  = canvas.Looks
	Ground = canvas.Ground
)

// Dark, Light and Unknown describe the terminal's background. Frame is the time between two frames
// of streamed text.
const (
	Dark    = canvas.Dark
	Light   = canvas.Light
	Unknown = canvas.Unknown
	Frame   = canvas.Frame
)
