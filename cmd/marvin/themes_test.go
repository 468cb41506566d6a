package main

import (
	"strings"
	"testing"

	"marvin/persistence/settings"
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
		if got := looks(world, settings.Config{Looks: settings.Looks{Symbols: one.symbols}}).ASCII; got != one.want {
			t.Errorf("symbols: %s with TERM=%s and LANG=%s: ASCII alone is %t", one.symbols, one.kind, one.locale, got)
		}
	}
}

// The doctor says for which ground colours are chosen, and how to say it where nobody does.
func TestTheDoctorSaysForWhichGroundColoursAre(t *testing.T) {
	for _, one := range []struct {
		kind, colours, theme string
		says                 string
		good                 bool
	}{
		{"tmux-256color", "", "", "theme auto, for the ground that the terminal answers", true},
		{"tmux-256color", "0;15", "", "theme auto, for the light ground that COLORFGBG tells", true},
		{"rxvt", "15;default;0", "terminal", "theme terminal, for the dark ground that COLORFGBG tells", true},
		{"linux", "", "", "theme auto, for the dark ground that TERM tells", true},
		{"vt220", "", "", "theme auto, for any background", false},
		{"vt220", "", "light", "theme light", true},
		{"dumb", "", "", "none", true},
	} {
		world := World{Getenv: func(name string) string {
			return map[string]string{"TERM": one.kind, "COLORFGBG": one.colours}[name]
		}}
		got := coloursFinding(world, settings.Config{Looks: settings.Looks{Theme: one.theme}})
		if got.good != one.good || !strings.HasPrefix(got.state, one.says) || !got.good && !strings.Contains(got.mend, "config set theme dark") {
			t.Errorf("%+v: %+v", one, got)
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
