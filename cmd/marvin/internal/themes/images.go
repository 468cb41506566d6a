package themes

import (
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/ui/tui"
)

// Images is how the terminal draws pictures: as the setting says, else as it is known from
// its name, else by sixels if it says that it draws them. A program that shares the screen
// out, as tmux does, draws over them: there it is text unless the setting says otherwise.
func Images(w cli.World, setting string) tui.Images {
	kind, program := w.Getenv("TERM"), w.Getenv("TERM_PROGRAM")
	sixel := tui.Images{Protocol: "sixel"}
	if w.Getenv("WT_SESSION") != "" { // Windows Terminal counts in cells of a VT340, and does not say so
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
	case program == "vscode": // there it is a setting that includes sixels
		return tui.Images{Protocol: "iterm", Ask: knowsItself(kind)}
	case program == "" && (w.Getenv("KITTY_WINDOW_ID") != "" || konsole >= 220400): // a terminal that another one started has these too
		return tui.Images{Protocol: "kitty"}
	}
	if sixel.Ask = knowsItself(kind); !sixel.Ask {
		return tui.Images{}
	}
	return sixel
}

// knowsItself says whether terminals of a kind may be asked what they are: their answers are not
// taken for keys.
func knowsItself(kind string) bool {
	return Scrolls(kind) && !strings.HasPrefix(kind, "linux") && !strings.HasPrefix(kind, "vt")
}

// Scrolls says whether terminals of a kind move rows when a scroll region says so. All
// that descend from the VT100 do.
func Scrolls(kind string) bool {
	for _, known := range []string{"xterm", "tmux", "screen", "linux", "vt", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty", "st", "konsole", "gnome"} {
		if strings.HasPrefix(kind, known) {
			return true
		}
	}
	return false
}
