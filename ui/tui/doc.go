// Package tui is the full-screen front end: a status bar, the transcript, the input.
//
// One goroutine reads the terminal, one the conversation; the loop in Run owns the
// state and the screen, and nobody else touches either. Handlers change state, drawing
// happens in one place: at once when the last frame is old enough, else when it is.
// Every goroutine hands a panic to the loop, which gives the terminal back first.
//
// What the person can do at a time has a part of its own, with its state: the frame that
// is drawn, the questions, the lists to choose from, completions, what was typed before,
// reading and finding, the queue, the plan, the mouse, the status bar, the draft that is
// kept, pastes. A part gets what it works with when the screen is made (furnish in
// screen.go); the screen says whose turn a key is (input.go) and which part stands where
// (draw.go).
//
// A frame is a list of rows; rows that are as before are not touched. Those that only
// moved are moved by the terminal (scroll.go), past tcell, which has no scroll regions
// but lets its picture of the screen be corrected.
//
// Keys are named actions in a table (actions.go) that the configuration changes; what
// is typed goes to ui/command, which tells prompts from commands. Whatever takes time,
// such as completing a path or keeping the draft, is done beside the loop by front.Go.
//
// It is the only package that knows tcell. What may be shown comes from ui/view,
// what may be typed from ui/lineedit; widget libraries on tcell own their event loop
// and their text, and would have to be worked around for streaming, graphemes and
// the type-ahead rules, so there is none.
package tui
