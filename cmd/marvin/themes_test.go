package main

import (
	"testing"

	"marvin/persistence"
)

func TestTheConsoleIsDrawnWithASCII(t *testing.T) {
	for _, one := range []struct {
		symbols, kind, locale string
		want                  bool
	}{
		{"", "xterm-256color", "", false},
		{"", "tmux-256color", "", false},
		{"", "linux", "", true},
		{"", "linux-16color", "", true},
		{"", "vt220", "", true},
		{"unicode", "linux", "", false},
		{"ascii", "xterm-256color", "", true},
		{"", "xterm-256color", "C", true},
		{"", "xterm-256color", "C.UTF-8", false},
		{"unicode", "xterm-256color", "POSIX", false},
	} {
		world := World{Getenv: func(name string) string { return map[string]string{"TERM": one.kind, "LANG": one.locale}[name] }}
		if got := world.looks(persistence.Config{Looks: persistence.Looks{Symbols: one.symbols}}).ASCII; got != one.want {
			t.Errorf("symbols: %s with TERM=%s and LANG=%s: ASCII alone is %t", one.symbols, one.kind, one.locale, got)
		}
	}
}

// The locale C says nothing of the terminal, which is one for UTF-8 nearly everywhere.
func TestLettersBeyondASCIIAreTypedInTheLocaleC(t *testing.T) {
	p := openPane(t, 80, 20)
	p.press("LC_ALL=C marvin --provider offline", "Enter")
	p.sees("Ask anything")
	p.press("größer 日本")
	p.sees("größer 日本")
}
