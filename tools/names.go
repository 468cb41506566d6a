package tools

import (
	"marvin/tools/internal/advice"
	"marvin/tools/internal/hidden"
)

// Advice is an error with the next step to take.
type Advice = advice.Advice

// Advise adds to err what the model should do next.
func Advise(err error, format string, args ...any) error { return advice.Advise(err, format, args...) }

// Visible makes characters that nobody sees visible.
func Visible(text string) string { return hidden.Visible(text) }

// Hidden counts the characters of a text that nobody sees.
func Hidden(text string) (count int) { return hidden.Hidden(text) }

// Unhidden removes the characters that nobody sees.
func Unhidden(text string) string { return hidden.Unhidden(text) }

// Marked makes hidden characters visible and marks where they were.
func Marked(text string) string { return hidden.Marked(text) }
