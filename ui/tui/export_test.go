package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/tui/internal/canvas"
)

// On returns a terminal for a screen of a test.
func On(screen tcell.Screen) *Terminal {
	terminal := &Terminal{screen: screen}
	if tty, ok := screen.Tty(); ok {
		if keys, ok := tty.(*canvas.Keyboard); ok {
			terminal.answers = keys.Answers
		}
	}
	return terminal
}

// Keyboard returns the terminal that Open would read.
func Keyboard(tty tcell.Tty) tcell.Tty {
	return &canvas.Keyboard{Tty: tty, Now: time.Now, Answers: make(chan canvas.Answer, 2)}
}
