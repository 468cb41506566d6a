// Package tui is the full-screen front end: a status bar, the transcript and the input.
//
// One goroutine reads the terminal, and another goroutine reads the conversation. The loop in Run
// owns the state and the screen. Handlers only change the state. Frames are drawn in one place,
// with a minimum time between two frames. If a goroutine panics, Run restores the terminal and
// returns the panic as an error.
//
// Each part of the screen, such as the completions or the mouse, has its own state. The code in
// screen.go connects the parts. The screen decides which part gets a key (input.go) and where each
// part is drawn (draw.go).
//
// A frame is a list of rows. Unchanged rows are not sent. If rows only scrolled, the terminal
// itself moves them (internal/canvas). tcell does not support scroll regions, so Marvin sends the
// sequences itself and updates tcell's buffer.
//
// Each key runs a named action (actions.go). The configuration can change the keys of an action.
// Entered lines go to ui/command, which distinguishes commands from prompts. Slow work, such as
// completing a path or saving the draft, runs outside the loop.
//
// This is the only package that uses tcell. ui/view decides what is shown, and ui/lineedit edits
// the input. No widget library is used, because the event loops and text models of such libraries
// do not fit streaming, graphemes and type-ahead.
package tui
