package tui

import (
	"fmt"
	"math"
	"slices"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/view"
)

// Looks is how the screen is coloured. The zero value is the terminal's own sixteen.
type Looks struct {
	// Theme is auto or "", terminal, dark, light, mono, or a name that Named knows. Auto
	// is Marvin's own on the ground that the terminal says it has, else terminal, which
	// is dark, or light if Light says so. These three keep to the sixteen colours.
	Theme string
	// Colours is full, 256, 16, none, safe, or auto or "": as many as the terminal has.
	// Safe is that too, without red beside green.
	Colours string
	Light   bool                              // the terminal said by COLORFGBG that its ground is light
	ASCII   bool                              // nothing is drawn but with ASCII
	Asks    bool                              // the terminal may be asked for its ground
	Named   func(string) (theme.Theme, error) // nil for those that come with Marvin
}

// palette is what roles look like. It belongs to the loop.
type palette struct {
	Looks
	ground *theme.RGB // what the terminal said of it
	holds  string     // the theme that is shown

	rest    tcell.Style // where there is no text
	roles   [view.Roles + 1]tcell.Style
	grounds [view.Roles + 1]tcell.Color // behind a text and all that follows it in its row
}

// colours are those of a role of the theme, and attributes that go with it.
var colours = map[view.Role]struct {
	token theme.Token
	style tcell.Style
}{
	view.Plain: {token: theme.Text}, bar: {token: theme.Faint}, view.User: {token: theme.Text}, view.Band: {token: theme.Accent}, view.Assistant: {token: theme.Accent},
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

// words are those that have a ground of their own, in the place of their row's.
var words = map[view.Role]theme.Token{view.AddedWord: theme.GoodWords, view.RemovedWord: theme.BadWords}

// show makes a theme the one that is shown. An error leaves what was shown before.
func (p *palette) show(name string, has int) error {
	shown, painted, err := p.find(name)
	switch few := p.Colours == "none" || p.Colours == "16" || has < 256 && p.Colours != "full" && p.Colours != "256"; {
	case err != nil:
		return err
	case few || !painted:
		p.sixteen(name, p.Colours == "none")
	default:
		p.paint(name, shown)
	}
	return nil
}

// find is the set of colours of a name; painted is false where the terminal's own do.
func (p *palette) find(name string) (shown theme.Theme, painted bool, err error) {
	switch name {
	case "", "auto":
		if p.ground != nil {
			shown, painted = theme.Over(*p.ground)
		}
		return shown, painted, nil
	case "terminal", "dark", "light", "mono":
		return shown, false, nil
	}
	if p.Named != nil {
		shown, err = p.Named(name)
		return shown, err == nil, err
	}
	if shown, painted = theme.Named(name); !painted {
		err = fmt.Errorf("theme %s: %w", name, theme.ErrNone)
	}
	return shown, painted, err
}

// paint takes the colours of a theme.
func (p *palette) paint(name string, shown theme.Theme) {
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
	p.holds, p.rest = name, tcell.StyleDefault
	if shown.Paints {
		p.rest = p.rest.Foreground(made(theme.Text)).Background(made(theme.Ground))
	}
	p.grounds = [view.Roles + 1]tcell.Color{}
	for role := range p.roles {
		style := p.rest
		if look, ok := colours[view.Role(role)]; ok {
			_, background, _ := p.rest.Decompose()
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

// sixteen keeps to the terminal's own colours on its own ground, so that whatever the
// person chose for them stays readable. On a light ground yellow, cyan and green are not: in
// seven usual palettes they have a contrast of 1.7 to 3.4 there (green 5.4 in one), blue 3.4 to
// 12.8. Names of code are in the colour of text then, for what is quoted is blue. Without colour
// the attributes tell.
func (p *palette) sixteen(name string, none bool) {
	p.holds, p.rest, p.grounds = name, tcell.StyleDefault, [view.Roles + 1]tcell.Color{}
	light := name == "light" || p.light() && name != "dark"
	for role := range p.roles {
		style := look(view.Role(role))
		foreground, _, _ := style.Decompose()
		switch {
		case none || name == "mono":
			if style = style.Foreground(tcell.ColorDefault); role == int(view.Snippet) {
				style = style.Underline(true) // nothing else tells where it begins
			}
		case p.Colours == "safe" && foreground == tcell.ColorGreen:
			style = style.Foreground(tcell.ColorNavy)
			if !light {
				style = style.Foreground(tcell.ColorTeal)
			}
		case p.Colours == "safe" && foreground == tcell.ColorMaroon:
			style = style.Foreground(tcell.ColorOlive).Bold(true)
		case view.Role(role) == view.User: // a whole sentence
			style = tcell.StyleDefault.Bold(true)
		case light && view.Role(role) == view.Name:
			style = tcell.StyleDefault
		case light && slices.Contains([]tcell.Color{tcell.ColorOlive, tcell.ColorTeal, tcell.ColorGreen}, foreground):
			style = style.Foreground(tcell.ColorNavy)
		}
		p.roles[role] = style
	}
}

// light says whether the terminal's ground is: what it answered holds more than COLORFGBG.
func (p *palette) light() bool {
	if p.ground != nil {
		return !p.ground.Dark()
	}
	return p.Light
}

func look(role view.Role) tcell.Style {
	plain := tcell.StyleDefault
	switch role {
	case bar, view.Faint, view.Comment:
		return plain.Dim(true)
	case view.User, view.Band, view.Assistant, view.Code, view.Snippet, view.Hunk, view.Name:
		return plain.Foreground(tcell.ColorTeal) // ANSI cyan
	case view.Added, view.Quoted:
		return plain.Foreground(tcell.ColorGreen)
	case view.System, view.Number:
		return plain.Foreground(tcell.ColorOlive) // ANSI yellow
	case view.Tool, view.Keyword:
		return plain.Foreground(tcell.ColorPurple) // ANSI magenta
	case view.Problem, view.Removed:
		return plain.Foreground(tcell.ColorMaroon) // ANSI red
	case view.AddedWord:
		return plain.Foreground(tcell.ColorGreen).Reverse(true)
	case view.RemovedWord:
		return plain.Foreground(tcell.ColorMaroon).Reverse(true)
	case view.Strong:
		return plain.Bold(true)
	case view.Heading:
		return plain.Bold(true).Underline(true)
	case view.Emphasis:
		return plain.Italic(true)
	case view.Struck:
		return plain.StrikeThrough(true)
	case view.Link:
		return plain.Underline(true)
	case view.Found:
		return plain.Reverse(true)
	}
	return plain
}

// ascii is what is drawn where a font has no drawings. Each takes as many cells.
var ascii = map[string]string{
	"─": "-", "│": "|", "┼": "+", "├": "+", "└": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "╴": "-", "╶": "-", "▐": "#", "▌": "|", "▎": "|", "▸": ">", "›": ">", "•": "*", "●": "*",
	"✗": "x", "»": ">", "✓": "+", "◦": "o", "∴": "~", "·": "-", "…": "~", "–": "-", "→": ">", "↓": "v", "↑": "^", "⏎": "/", "☐": "o", "☑": "x", "⠋": "*", "🔧": "* ", "⏳": "~ ", "🐚": "$ ",
}

// drawn is a cluster as it is drawn. What the font may not have of a text stays: it is the text.
func (p *palette) drawn(cluster string) string {
	if plain, ok := ascii[cluster]; ok && p.ASCII {
		return plain
	}
	return cluster
}
