package canvas

import (
	"fmt"
	"math"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/theme"
	"marvin/ui/view"
)

// Looks contains the user's settings for colors. The zero value uses the terminal's own sixteen
// colors.
type Looks struct {
	// Theme is the name of a theme. The themes "terminal", "dark" and "light" use only the
	// terminal's sixteen colors, and "mono" uses no colors. The themes "auto" and "" suit the
	// background color that the terminal reported. Without a reported color, "auto" and "" are like
	// "terminal", but they can use more than sixteen colors on an [Unknown] background.
	Theme string
	// Colours is "full", "256", "16", "none", "safe", "auto" or "". "auto", "safe" and "" use as
	// many colors as the terminal has. "safe" never puts red beside green.
	Colours string
	Stands  Ground                            // the assumed background, used until the terminal reports the real one
	ASCII   bool                              // whether Marvin's own symbols are drawn in ASCII
	Asks    bool                              // Marvin queries the terminal for its background
	Paints  bool                              // "auto" means marvin-dark if no background is known
	Named   func(string) (theme.Theme, error) // theme lookup; nil if all themes are built in
}

// Palette contains the styles of all roles. Only the loop uses it.
type Palette struct {
	Looks
	Ground *theme.RGB  // background color that the terminal reported; nil for none
	Holds  string      // name of the current theme
	Shown  theme.Theme // the current theme; zero while the terminal's own colors are used
	Wants  string      // name of the configured theme if it was not available at the start, or ""
	Wrong  string      // last error from loading a theme

	Rest    tcell.Style // style of cells without text
	roles   [view.Roles + 1]tcell.Style
	grounds [view.Roles + 1]tcell.Color // backgrounds that extend to the end of the row
}

// colours contains each role's color in a theme and its other attributes, such as bold.
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

// grounds contains the background colors that extend to the end of the row.
var grounds = map[view.Role]theme.Token{
	view.Band: theme.BandGround, view.Ground: theme.CodeGround,
	view.AddedGround: theme.GoodGround, view.RemovedGround: theme.BadGround,
}

// words contains the background colors of changed words. These colors override the row's
// background.
var words = map[view.Role]theme.Token{view.AddedWord: theme.GoodWords, view.RemovedWord: theme.BadWords}

// Show switches to a theme. depth is the number of colors that the terminal supports. If Show
// returns an error, the previous theme stays.
func (p *Palette) Show(name string, depth int) error {
	shown, painted, err := p.find(name)
	switch {
	case err != nil:
		return err
	case p.fewColours(depth) || !painted:
		p.Shown = theme.Theme{}
		p.sixteen(name, depth)
	default:
		p.Shown = shown
		p.paint(name, shown)
	}
	p.Wants, p.Wrong = "", ""
	return nil
}

// fewColours reports whether at most sixteen colors are available.
func (p *Palette) fewColours(depth int) bool {
	return p.Colours == "none" || p.Colours == "16" || depth < 256 && p.Colours != "full" && p.Colours != "256"
}

// find returns the theme with the given name. painted is false if the theme uses the terminal's own
// colors.
func (p *Palette) find(name string) (shown theme.Theme, painted bool, err error) {
	switch name {
	case "", "auto":
		switch {
		case p.Ground != nil:
			shown, painted = theme.ForGround(*p.Ground)
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

// paint gives all styles the colors of a theme.
func (p *Palette) paint(name string, shown theme.Theme) {
	if p.Colours == "safe" {
		shown = shown.Safe()
	}
	made := func(token theme.Token) tcell.Color {
		colour := tcell.NewHexColor(int32(shown.Colour(token)))
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
				style = look.style // the terminal's own text color
			}
		}
		if token, ok := words[view.Role(role)]; ok {
			behind := map[theme.Token]theme.Token{theme.GoodWords: theme.GoodGround, theme.BadWords: theme.BadGround}[token]
			// In some palettes, such as the two Solarized palettes, every readable background for
			// changed words looks like the row's background. Changed words in these palettes are
			// underlined.
			alike := theme.Contrast(shown.Colour(token), shown.Colour(behind)) < minContrast || made(token) == made(behind)
			style = style.Foreground(made(theme.Text)).Background(made(token)).Underline(alike)
		}
		if token, ok := grounds[view.Role(role)]; ok {
			p.grounds[role] = made(token)
			style = style.Background(p.grounds[role])
		}
		p.roles[role] = style
	}
}

// minContrast is the minimum contrast at which users can distinguish two adjacent backgrounds.
const minContrast = 1.1

// nearest returns the most similar color in the palette of 240 colors that no terminal changes.
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

// ascii contains, for symbols that Marvin draws, ASCII text of the same width. The ASCII text is
// for fonts that lack the symbols.
var ascii = map[string]string{
	"─": "-", "│": "|", "┼": "+", "├": "+", "└": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "╴": "-", "╶": "-", "▐": "#", "▌": "|", "▎": "|", "▸": ">", "›": ">", "•": "*", "●": "*",
	"✗": "x", "»": ">", "✓": "+", "◦": "o", "∴": "~", "·": "-", "…": "~", "–": "-", "→": ">", "↓": "v", "↑": "^", "⏎": "/", "☐": "o", "☑": "x", "⠋": "*", "🔧": "* ", "⏳": "~ ", "🐚": "$ ",
}

// replaceSymbol converts one of Marvin's own symbols to ASCII if p.ASCII is set. It returns any
// other text unchanged.
func (p *Palette) replaceSymbol(cluster string) string {
	if plain, ok := ascii[cluster]; ok && p.ASCII {
		return plain
	}
	return cluster
}
