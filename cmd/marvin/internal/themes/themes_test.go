package themes

import (
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
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
		world := cli.World{Getenv: func(name string) string { return map[string]string{"TERM": one.kind, "LANG": one.locale}[name] }}
		if got := LookOf(world, settings.Config{Looks: settings.Looks{Symbols: one.symbols}}).ASCII; got != one.want {
			t.Errorf("symbols: %s with TERM=%s and LANG=%s: ASCII alone is %t", one.symbols, one.kind, one.locale, got)
		}
	}
}

func TestTheDoctorSaysForWhichGroundColoursAre(t *testing.T) {
	for _, one := range []struct {
		kind, colours, theme string
		says                 string
		good                 bool
	}{
		{"tmux-256color", "", "", "theme auto, for the background that the terminal reports", true},
		{"tmux-256color", "0;15", "", "theme auto, for the light background that COLORFGBG reports", true},
		{"rxvt", "15;default;0", "terminal", "theme terminal, for the dark background that COLORFGBG reports", true},
		{"linux", "", "", "theme auto, for the dark background that TERM reports", true},
		{"vt220", "", "", "theme auto, for any background", false},
		{"vt220", "", "light", "theme light", true},
		{"dumb", "", "", "none", true},
	} {
		world := cli.World{Getenv: func(name string) string {
			return map[string]string{"TERM": one.kind, "COLORFGBG": one.colours}[name]
		}}
		got := ColoursFinding(world, settings.Config{Looks: settings.Looks{Theme: one.theme}})
		if got.Good != one.good || !strings.HasPrefix(got.State, one.says) || !got.Good && !strings.Contains(got.Mend, "config set theme dark") {
			t.Errorf("%+v: %+v", one, got)
		}
	}
}
