package canvas

import (
	"fmt"
	"math"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/view"
)

// Looks is how the screen is coloured. The zero value is the terminal's own sixteen.
type Looks struct {
	// Theme is auto or "", terminal, dark, light, mono, or a name that Named knows. Auto
	// is Marvin's own on the ground that the terminal says it has, else terminal, which
	// is for the ground of Stands. These three keep to the sixteen colors, but auto on a
	// ground that is Unknown.
	Theme string
	// Colours is full, 256, 16, none, safe, or auto or "": as many as the terminal has.
	// Safe is that too, without red beside green.
	Colours string
	Stands  Ground                            // what is known of the terminal's ground before it answers
	ASCII   bool                              // nothing is drawn but with ASCII
	Asks    bool                              // the terminal may be asked for its ground
	Paints  bool                              // auto on an Unknown ground is marvin-dark, which paints its own
	Named   func(string) (theme.Theme, error) // nil for those that come with Marvin
}

// Palette is what roles look like. It belongs to the loop.
type Palette struct {
	Looks
	Ground *theme.RGB  // what the terminal said of it
	Holds  string      // the theme that is shown
	Shown  theme.Theme // its colours, zero where those are the terminal's own
	Wants  string      // the theme that could not be shown at the start, "" for none
	Wrong  string      // what was last said of a theme that was read again

	Rest    tcell.Style // where there is no text
	roles   [view.Roles + 1]tcell.Style
	grounds [view.Roles + 1]tcell.Color // behind a text and all that follows it in its row
}

// colours are those of a role of the theme, and attributes that go with it.
var colours = map[view.Role]struct {
	token theme.Token
	style tcell.Style
}{
	view.Plain: {token: theme.Text}, Bar: {token: theme.Faint}, view.User: {token: theme.Text}, view.Band: {token: theme.Accent}, view.Assistant: {token: theme.Accent},
	view.System: {token: theme.Warn}, view.Tool: {token: theme.Keyword}, view.Problem: {token: theme.Bad}, view.Faint: {token: theme.Faint},
	view.Strong: {theme.Text, tcell.StyleDefault.Bold(true)}, view.Heading: {theme.Accent, tcell.StyleDefault.Bold(true)},
	view.Code: {token: theme.String}, view.Snippet: {token: theme.String}, view.Added: {token: theme.Good}, view.Removed: {token: theme.Bad}, view.Hunk: {token: theme.Accent},
	view.Emphasis: {theme.Text, tcell.StyleDefault.Italic(true)}, view.Struck: {theme.Faint, tcell.StyleDefault.StrikeThrough(true)},
	view.Link: {theme.Accent, tcell.StyleDefault.Underline(true)}, view.Keyword: {token: theme.Keyword}, view.Name: {token: theme.Accent},
	view.Quoted: {token: theme.String}, view.Number: {token: theme.Number}, view.Comment: {theme.Faint, tcell.StyleDefault.Italic(true)},
	view.Found: {theme.Text, tcell.StyleDefault.Reverse(true)}, view.AddedWord: {theme.Text, tcell.StyleDefault}, view.RemovedWord: {theme.Text, tcell.StyleDefault},
}

// grounds are the roles that colour what is behind them.
var grounds = map[view.Role]theme.Token{
	view.Band: theme.BandGround, view.Ground: theme.CodeGround,
	view.AddedGround: theme.GoodGround, view.RemovedGround: theme.BadGround,
}

// words are roles with a ground of their own instead of their row's.
var words = map[view.Role]theme.Token{view.AddedWord: theme.GoodWords, view.RemovedWord: theme.BadWords}

// Show makes a theme the one that is shown. An error leaves what was shown before.
func (p *Palette) Show(name string, has int) error {
	shown, painted, err := p.find(name)
	switch {
	case err != nil:
		return err
	case p.few(has) || !painted:
		p.Shown = theme.Theme{}
		p.sixteen(name, has)
	default:
		p.Shown = shown
		p.paint(name, shown)
	}
	p.Wants, p.Wrong = "", ""
	return nil
}

// few says whether there are no more than sixteen colors.
func (p *Palette) few(has int) bool {
	return p.Colours == "none" || p.Colours == "16" || has < 256 && p.Colours != "full" && p.Colours != "256"
}

// find is the set of colours of a name; painted is false where the terminal's own do.
func (p *Palette) find(name string) (shown theme.Theme, painted bool, err error) {
	switch name {
	case "", "auto":
		switch {
		case p.Ground != nil:
			shown, painted = theme.Over(*p.Ground)
		case p.Paints && p.Stands == Unknown:
			shown, painted = theme.Find("marvin-dark")
		}
		return shown, painted, nil
	case "terminal", "dark", "light", "mono":
		return shown, false, nil
	}
	if p.Named != nil {
		shown, err = p.Named(name)
		return shown, err == nil, err
	}
	if shown, painted = theme.Find(name); !painted {
		err = fmt.Errorf("theme %s: %w", name, theme.ErrNone)
	}
	return shown, painted, err
}

// paint takes the colours of a theme.
func (p *Palette) paint(name string, shown theme.Theme) {
	if p.Colours == "safe" {
		shown = shown.Safe()
	}
	made := func(token theme.Token) tcell.Color {
		colour := tcell.NewHexColor(int32(shown.Of(token)))
		if p.Colours == "256" {
			return nearest(colour)
		}
		return colour
	}
	p.Holds, p.Rest = name, tcell.StyleDefault
	if shown.Paints {
		p.Rest = p.Rest.Foreground(made(theme.Text)).Background(made(theme.Ground))
	}
	p.grounds = [view.Roles + 1]tcell.Color{}
	for role := range p.roles {
		style := p.Rest
		if look, ok := colours[view.Role(role)]; ok {
			_, background, _ := p.Rest.Decompose()
			style = look.style.Foreground(made(look.token)).Background(background)
			if look.token == theme.Text && !shown.Paints {
				style = look.style // the terminal's own
			}
		}
		if token, ok := words[view.Role(role)]; ok {
			behind := map[theme.Token]theme.Token{theme.GoodWords: theme.GoodGround, theme.BadWords: theme.BadGround}[token]
			// In some palettes, as both of Solarized, nothing darker than the row's ground carries its text.
			alike := theme.Contrast(shown.Of(token), shown.Of(behind)) < tellsApart || made(token) == made(behind)
			style = style.Foreground(made(theme.Text)).Background(made(token)).Underline(alike)
		}
		if token, ok := grounds[view.Role(role)]; ok {
			p.grounds[role] = made(token)
			style = style.Background(p.grounds[role])
		}
		p.roles[role] = style
	}
}

// tellsApart is the contrast from which two grounds beside each other are seen to be two.
const tellsApart = 1.1

// nearest is the nearest of the 240 colours that look the same on every terminal.
func nearest(colour tcell.Color) tcell.Color {
	r, g, b := colour.RGB()
	best, least := tcell.ColorDefault, math.MaxInt
	for i := 16; i < 256; i++ {
		one := tcell.PaletteColor(i)
		x, y, z := one.RGB()
		far := 2*int((x-r)*(x-r)) + 4*int((y-g)*(y-g)) + 3*int((z-b)*(z-b))
		if far < least {
			best, least = one, far
		}
	}
	return best
}

// ascii is what is drawn where a font has no drawings. Each takes as many cells.
var ascii = map[string]string{
	"─": "-", "│": "|", "┼": "+", "├": "+", "└": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "╴": "-", "╶": "-", "▐": "#", "▌": "|", "▎": "|", "▸": ">", "›": ">", "•": "*", "●": "*",
	"✗": "x", "»": ">", "✓": "+", "◦": "o", "∴": "~", "·": "-", "…": "~", "–": "-", "→": ">", "↓": "v", "↑": "^", "⏎": "/", "☐": "o", "☑": "x", "⠋": "*", "🔧": "* ", "⏳": "~ ", "🐚": "$ ",
}

// drawn is a cluster as drawn. Text the font may lack stays: it is text.
func (p *Palette) drawn(cluster string) string {
	if plain, ok := ascii[cluster]; ok && p.ASCII {
		return plain
	}
	return cluster
}
