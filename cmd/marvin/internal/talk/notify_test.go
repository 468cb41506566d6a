package talk

import (
	"testing"

	"marvin/cmd/marvin/internal/themes"
)

func TestTerminalNotifications(t *testing.T) {
	for _, row := range [][3]string{{"none", "ghostty", "none"}, {"", "iTerm.app", "osc9"}, {"", "WezTerm", "osc9"}, {"", "ghostty", "osc9"}, {"", "Apple_Terminal", "bell"}, {"", "", "bell"}} {
		if got := notificationMethod(row[0], row[1]); got != row[2] {
			t.Errorf("%q on %q: %s", row[0], row[1], got)
		}
	}
	for kind, does := range map[string]bool{
		"xterm-256color": true, "tmux-256color": true, "screen": true, "linux": true, "vt220": true, "rxvt-unicode": true, "alacritty": true, "foot": true, "xterm-kitty": true, "kitty": true, "wezterm": true,
		"ghostty": true, "st-256color": true, "konsole": true, "gnome": true, "dumb": false, "": false, "emacs": false,
	} {
		if themes.Scrolls(kind) != does {
			t.Errorf("%q scrolls: %v", kind, !does)
		}
	}
}
