// Package tui is the full-screen front end: a status bar, the transcript and the input.
//
// One goroutine reads the terminal and one reads the conversation. The loop in Run owns the state
// and the screen. Handlers only change the state. Frames are drawn in one place, with a minimum
// time between two frames. If one of the goroutines panics, Run restores the terminal and returns
// the panic as an error.
//
// Each part of the screen has its own state. Parts are, for example, the questions, the lists, the
// completions, the history, the queue and the mouse. The code in screen.go connects the parts. The
// screen decides which part gets a key (input.go) and where each part is drawn (draw.go).
//
// A frame is a list of rows. Unchanged rows are not sent. If rows only scrolled, the terminal
// itself moves them (internal/canvas). tcell does not support scroll regions, so Marvin sends the
// sequences itself and updates tcell's buffer.
//
// Each key runs a named action (actions.go), and the configuration can assign other keys. Lines go
// to ui/command, which distinguishes commands from prompts. Slow work, such as completing a path or
// saving the draft, runs outside the loop with front.Go.
//
// This is the only package that knows tcell. ui/view decides what is shown, and ui/lineedit edits
// the input. No widget library is used. Such libraries have their own event loop and text model,
// which do not fit streaming, graphemes and the rules for keys typed ahead.
package tui
