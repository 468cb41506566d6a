package themes

import (
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/ui/tui"
)

// Images selects how the terminal draws pictures: by the setting, else by the terminal's name, else
// by asking the terminal about sixels. Programs that split the screen, such as tmux, draw over
// pictures, so inside such a program only the setting can enable pictures.
func Images(w cli.World, setting string) tui.Images {
	kind, program := w.Getenv("TERM"), w.Getenv("TERM_PROGRAM")
	sixel := tui.Images{Protocol: "sixel"}
	if w.Getenv("WT_SESSION") != "" { // Windows Terminal does not report its cell size, which is that of a VT340
		sixel.Width, sixel.Height = 10, 20
	}
	switch setting {
	case "off":
		return tui.Images{}
	case "sixel":
		return sixel
	case "kitty", "iterm":
		return tui.Images{Protocol: setting}
	}
	konsole, _ := strconv.Atoi(w.Getenv("KONSOLE_VERSION"))
	switch {
	case w.Getenv("TMUX") != "" || w.Getenv("STY") != "" || w.Getenv("ZELLIJ") != "" || strings.HasPrefix(kind, "tmux") || strings.HasPrefix(kind, "screen"):
		return tui.Images{}
	case kind == "xterm-kitty" || kind == "xterm-ghostty" || program == "ghostty":
		return tui.Images{Protocol: "kitty"}
	case program == "WezTerm" || program == "iTerm.app" || w.Getenv("LC_TERMINAL") == "iTerm2":
		return tui.Images{Protocol: "iterm"}
	case program == "vscode": // one setting of VS Code enables both iTerm2 pictures and sixels
		return tui.Images{Protocol: "iterm", Ask: canQuery(kind)}
	case program == "" && (w.Getenv("KITTY_WINDOW_ID") != "" || konsole >= 220400): // kitty and Konsole pass these variables on to terminals that they start
		return tui.Images{Protocol: "kitty"}
	}
	if sixel.Ask = canQuery(kind); !sixel.Ask {
		return tui.Images{}
	}
	return sixel
}

// canQuery reports whether Marvin may query a terminal of the given kind for its properties. With
// other kinds, Marvin could mistake the replies for typed keys.
func canQuery(kind string) bool {
	return Scrolls(kind) && !strings.HasPrefix(kind, "linux") && !strings.HasPrefix(kind, "vt")
}

// Scrolls reports whether terminals of the given kind support scroll regions, as all descendants of
// the VT100 do.
func Scrolls(kind string) bool {
	for _, known := range []string{"xterm", "tmux", "screen", "linux", "vt", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty", "st", "konsole", "gnome"} {
		if strings.HasPrefix(kind, known) {
			return true
		}
	}
	return false
}
