package canvas

import (
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/view"
)

func TestChangedWordsAreMarkedInEveryTheme(t *testing.T) {
	underlined := 0
	for _, name := range theme.Names() {
		for _, colours := range []string{"full", "256", "safe"} {
			p := Palette{Looks: Looks{Colours: colours}}
			if err := p.Show(name, 1<<24); err != nil {
				t.Fatal(err)
			}
			for word, row := range map[view.Role]view.Role{view.AddedWord: view.AddedGround, view.RemovedWord: view.RemovedGround} {
				_, ground, attributes := p.roles[word].Decompose()
				_, behind, _ := p.roles[row].Decompose()
				lined := attributes&tcell.AttrUnderline != 0
				if apart := theme.Contrast(theme.RGB(ground.Hex()), theme.RGB(behind.Hex())); apart < 1.05 && !lined {
					t.Errorf("%s, %s: %06x on %06x is not seen", name, colours, ground.Hex(), behind.Hex())
				}
				if lined {
					underlined++
				}
			}
		}
	}
	if underlined == 0 || underlined > 100 {
		t.Errorf("%d are underlined", underlined)
	}
}

func TestColoursOnAnUnknownGroundAreReadOnEither(t *testing.T) {
	seen := map[tcell.Color]bool{}
	for _, colours := range []string{"auto", "256", "full", "safe"} {
		for role := range view.Roles + 1 {
			p := Palette{Looks: Looks{Colours: colours, Stands: Unknown}}
			if err := p.Show("auto", 256); err != nil {
				t.Fatal(err)
			}
			foreground, background, _ := p.roles[role].Decompose()
			if background != tcell.ColorDefault {
				t.Errorf("%s: role %d stands on %v", colours, role, background)
			}
			if foreground == tcell.ColorDefault {
				continue
			}
			seen[foreground] = true
			for _, ground := range []theme.RGB{0, 0xffffff} {
				if got := theme.Contrast(theme.RGB(foreground.Hex()), ground); got < 4 {
					t.Errorf("%s: role %d, %06x on %06x has a contrast of %.2f", colours, role, foreground.Hex(), ground, got)
				}
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d colours are left", len(seen))
	}
	for _, look := range []struct {
		theme, colours string
		has            int
	}{{"auto", "auto", 16}, {"auto", "16", 256}, {"terminal", "auto", 256}, {"auto", "safe", 8}} {
		p := Palette{Looks: Looks{Colours: look.colours, Stands: Unknown}}
		if err := p.Show(look.theme, look.has); err != nil {
			t.Fatal(err)
		}
		for role, style := range p.roles {
			if foreground, _, attributes := style.Decompose(); foreground != tcell.ColorDefault && (foreground != tcell.ColorMaroon || attributes&tcell.AttrBold == 0) {
				t.Errorf("%+v: role %d is %v", look, role, foreground)
			}
		}
		if p.roles[view.Added] == p.roles[view.Plain] || p.roles[view.System] == p.roles[view.Plain] || p.roles[view.Snippet] == p.roles[view.Plain] {
			t.Errorf("%+v: what is good, news or code looks like text", look)
		}
	}
}

// On a light background, none of the sixteen colors that are weak on white is used, and warnings
// and selected items differ.
func TestLightTerminalColorsAreReported(t *testing.T) {
	for _, colours := range []string{"16", "safe"} {
		p := Palette{Looks: Looks{Colours: colours}}
		if err := p.Show("light", 16); err != nil {
			t.Fatal(err)
		}
		for role, style := range p.roles {
			switch foreground, _, _ := style.Decompose(); foreground {
			case tcell.ColorOlive, tcell.ColorTeal, tcell.ColorGreen:
				t.Errorf("%s: role %d is %v", colours, role, foreground)
			}
		}
		if p.roles[view.System] == p.roles[view.Assistant] || p.roles[view.System] == p.roles[view.Problem] || p.roles[view.Added] == p.roles[view.Problem] {
			t.Errorf("%s: news are like what is chosen or wrong", colours)
		}
	}
}
