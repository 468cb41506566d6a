package tools

import (
	"marvin/tools/internal/advice"
	"marvin/tools/internal/hidden"
)

// Advice is an error that tells the model what to do next.
type Advice = advice.Advice

// Advise returns an error that wraps err and tells the model what to do next.
func Advise(err error, format string, args ...any) error { return advice.Advise(err, format, args...) }

// Visible replaces invisible characters with visible ones.
func Visible(text string) string { return hidden.Visible(text) }

// CountHidden counts the invisible characters in text.
func CountHidden(text string) (count int) { return hidden.Count(text) }

// Unhidden removes invisible characters.
func Unhidden(text string) string { return hidden.Unhidden(text) }

// NoteHidden appends a note if text contains invisible characters. The characters are not removed.
func NoteHidden(text string) string { return hidden.Marked(text) }
