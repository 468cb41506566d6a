package tui

import "github.com/gdamore/tcell/v2"

// On makes a terminal of a screen that a test made.
func On(screen tcell.Screen) *Terminal { return &Terminal{screen: screen} }

// Keyboard is a terminal as Open reads it.
func Keyboard(tty tcell.Tty) tcell.Tty { return &keyboard{Tty: tty} }
