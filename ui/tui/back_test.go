package tui_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/tui"
)

const lookedAway, lookedBack = "\x1b[O", "\x1b[I"

// withOwnTheme returns a screen with the user's own theme. write replaces the theme file.
func withOwnTheme(t *testing.T, text string) (p *person, write func(string)) {
	var mutex sync.Mutex
	talk := newScripted()
	p = sitWith(t, talk, 70, 20, func(c *tui.Config) {
		c.Looks.Theme, c.Looks.Colours = "mine", "full"
		c.Looks.Named = func(name string) (theme.Theme, error) {
			mutex.Lock()
			defer mutex.Unlock()
			return theme.Read(name, text, nil)
		}
	})
	talk.say(opened)
	return p, func(now string) {
		mutex.Lock()
		defer mutex.Unlock()
		text = now
	}
}

// accent returns a check whether the mark of the selected item has a color.
func accent(wanted int32) func(frame) bool {
	return func(f frame) bool {
		foreground, _, _ := f.styles["›"].Decompose()
		return foreground == tcell.NewHexColor(wanted)
	}
}

// If the user edits a theme file in another program, the screen shows the theme when the user
// returns. While the file is invalid, the last valid theme stays, and the error is reported once.
func TestUserThemeIsReloaded(t *testing.T) {
	p, write := withOwnTheme(t, "accent: #ff8800")
	p.until("the theme is shown", accent(0xff8800))
	write("accent: #66ddff")
	p.press(lookedAway, lookedBack)
	p.until("it is read again", accent(0x66ddff))
	write("acent: #ffffff")
	p.press(lookedAway, lookedBack)
	p.until("what is wrong is said, and the colors stay", func(f frame) bool {
		return strings.Contains(f.String(), `line 1: "acent" is not a key`) && strings.Contains(f.String(), "the colors stay as") && accent(0x66ddff)(f)
	})
	p.press(lookedAway, lookedBack)
	write("accent: #88ee88")
	p.press(lookedAway, lookedBack)
	p.until("it is whole again, and was told of once", func(f frame) bool {
		return accent(0x88ee88)(f) && strings.Count(f.String(), "is not a key") == 1
	})
}

func TestAThemeThatWasWrongAtTheStartIsShownOnceItIsRight(t *testing.T) {
	p, write := withOwnTheme(t, "accent")
	p.sees("line 1")
	write("accent: #ff8800")
	p.press(lookedBack)
	p.until("the theme is shown", accent(0xff8800))
}
