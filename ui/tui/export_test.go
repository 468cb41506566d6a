package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"
)

// On makes a terminal of a screen that a test made.
func On(screen tcell.Screen) *Terminal {
	terminal := &Terminal{screen: screen}
	if tty, ok := screen.Tty(); ok {
		if keys, ok := tty.(*keyboard); ok {
			terminal.answers = keys.answers
		}
	}
	return terminal
}

// Keyboard is a terminal as Open reads it.
func Keyboard(tty tcell.Tty) tcell.Tty {
	return &keyboard{Tty: tty, now: time.Now, answers: make(chan answer, 2)}
}

// Behind breaks a line of the greeting.
func Behind(line string, width int) []string { return behind(line, width) }
