package tui

import (
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/view"
)

// What changed within a line is marked in each theme: by its ground, or else by a line below it.
func TestChangedWordsAreMarkedInEveryTheme(t *testing.T) {
	underlined := 0
	for _, name := range theme.Names() {
		for _, colours := range []string{"full", "256", "safe"} {
			p := palette{Looks: Looks{Colours: colours}}
			if err := p.show(name, 1<<24); err != nil {
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
