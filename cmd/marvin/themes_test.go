package main

import (
	"testing"
)

// The locale C does not describe the terminal, which uses UTF-8 nearly everywhere.
func TestLettersBeyondASCIIAreTypedInTheLocaleC(t *testing.T) {
	p := openPane(t, 80, 20)
	p.press("LC_ALL=C marvin --provider offline", "Enter")
	p.sees("Ask anything")
	p.press("größer 日本")
	p.sees("größer 日本")
}
