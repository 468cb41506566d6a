package main

import (
	"testing"
)

// The locale C says nothing of the terminal, which is one for UTF-8 nearly everywhere.
func TestLettersBeyondASCIIAreTypedInTheLocaleC(t *testing.T) {
	p := openPane(t, 80, 20)
	p.press("LC_ALL=C marvin --provider offline", "Enter")
	p.sees("Ask anything")
	p.press("größer 日本")
	p.sees("größer 日本")
}
