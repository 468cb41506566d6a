package themes

import (
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/ui/tui"
)

func TestPictureProtocolChoice(t *testing.T) {
	kitty, iterm, none := tui.Images{Protocol: "kitty"}, tui.Images{Protocol: "iterm"}, tui.Images{}
	for _, one := range []struct {
		setting string
		env     map[string]string
		want    tui.Images
	}{
		{"", map[string]string{"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, kitty},
		{"auto", map[string]string{"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, kitty},
		{"auto", map[string]string{"TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"}, kitty},
		{"auto", map[string]string{"TERM": "xterm-256color", "KONSOLE_VERSION": "230804"}, kitty},
		{"auto", map[string]string{"TERM": "xterm-256color", "KONSOLE_VERSION": "201203"}, tui.Images{Protocol: "sixel", Ask: true}},
		{"auto", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"}, iterm},
		{"auto", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, iterm},
		{"auto", map[string]string{"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2", "SSH_TTY": "/dev/pts/1"}, iterm},
		{"auto", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, tui.Images{Protocol: "iterm", Ask: true}},
		{"auto", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, tui.Images{Protocol: "sixel", Ask: true}},
		{"auto", map[string]string{"TERM": "foot"}, tui.Images{Protocol: "sixel", Ask: true}},
		{"auto", map[string]string{"TERM": "xterm-256color", "WT_SESSION": "0d"}, tui.Images{Protocol: "sixel", Ask: true, Width: 10, Height: 20}},
		{"auto", map[string]string{"TERM": "linux"}, none},
		{"auto", map[string]string{"TERM": "vt220"}, none},
		{"auto", map[string]string{"TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"}, none},
		{"auto", map[string]string{"TERM": "screen.xterm-256color", "TERM_PROGRAM": "iTerm.app"}, none},
		{"auto", map[string]string{"TERM": "xterm-kitty", "STY": "1.x"}, none},
		{"auto", map[string]string{"TERM": "xterm-kitty", "ZELLIJ": "0"}, none},
		{"off", map[string]string{"TERM": "xterm-kitty"}, none},
		{"kitty", map[string]string{"TERM": "tmux-256color", "TMUX": "/tmp/x"}, kitty},
		{"iterm", map[string]string{"TERM": "xterm-256color"}, iterm},
		{"sixel", map[string]string{"TERM": "screen", "TMUX": "/tmp/x"}, tui.Images{Protocol: "sixel"}},
	} {
		world := cli.World{Getenv: func(name string) string { return one.env[name] }}
		if got := Images(world, one.setting); got != one.want {
			t.Errorf("images: %s with %v is %+v, not %+v", one.setting, one.env, got, one.want)
		}
	}
}
