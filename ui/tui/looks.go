package tui

import "marvin/ui/tui/internal/canvas"

// Looks and Ground are names of package canvas for the program around the screen.
type (
	Looks  = canvas.Looks
	Ground = canvas.Ground
)

// The grounds, and the time between two frames.
const (
	Dark    = canvas.Dark
	Light   = canvas.Light
	Unknown = canvas.Unknown
	Frame   = canvas.Frame
)
