// Package tui is the full-screen front end: a status bar, the transcript, the input.
//
// One goroutine reads the terminal, one the conversation; the loop in Run owns the
// state and the screen, and nobody else touches either. Handlers change state, drawing
// happens in one place: at once when the last frame is old enough, else when it is.
// Every goroutine hands a panic to the loop, which gives the terminal back first.
//
// It is the only package that knows tcell. What may be shown comes from ui/view,
// what may be typed from ui/lineedit; widget libraries on tcell own their event loop
// and their text, and would have to be worked around for streaming, graphemes and
// the type-ahead rules, so there is none.
package tui
