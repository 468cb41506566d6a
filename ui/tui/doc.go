// Package tui is the full-screen front end: a status bar, the transcript, the input.
//
// One goroutine reads the terminal, one the conversation; the loop in Run owns the state and the
// screen. Handlers change state; drawing happens in one place: at once if the last frame is old
// enough, otherwise when it is. Every goroutine reports a panic to the loop, which restores the
// terminal first.
//
// Each activity is a part with its own state: the drawn frame, the questions, lists, completions,
// the history, reading and finding, the queue, the plan, the mouse, the status bar, the saved
// draft, pastes. A part gets what it needs when the screen is made (furnish in screen.go); the
// screen decides which part gets a key (input.go) and where each part is drawn (draw.go).
//
// A frame is a list of rows; unchanged rows are not sent. The terminal moves rows that only
// scrolled (internal/canvas), bypassing tcell, which has no scroll regions but lets us correct its
// picture of the screen.
//
// Keys are named actions in a table (actions.go) that the configuration changes; lines go to
// ui/command, which tells prompts from commands. Slow work, such as completing a path or saving the
// draft, runs beside the loop in front.Go.
//
// This is the only package that knows tcell. ui/view decides what is shown, ui/lineedit what is
// typed. Widget libraries on tcell own their event loop and text, which does not fit streaming,
// graphemes and the type-ahead rules, so there is none.
package tui
