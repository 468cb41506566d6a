package canvas

import (
	"slices"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/view"
)

// Ground is the brightness of the terminal's own background.
type Ground uint8

// If the background is Unknown, text must be readable on both dark and light backgrounds.
const (
	Dark Ground = iota
	Light
	Unknown
)

// sixteen gives all roles the terminal's own colors and background. Without color, attributes such
// as bold distinguish the roles. If the background is Unknown and more than sixteen colors are
// available, the "auto" theme uses colors that are readable on any background.
func (p *Palette) sixteen(name string, depth int) {
	p.Holds, p.Rest, p.grounds = name, tcell.StyleDefault, [view.Roles + 1]tcell.Color{}
	none, stands := p.Colours == "none" || name == "mono", p.groundFor(name)
	auto := (name == "" || name == "auto") && !p.fewColours(depth)
	for role := range p.roles {
		style := look(view.Role(role))
		foreground, _, _ := style.Decompose()
		switch {
		case none:
			if style = style.Foreground(tcell.ColorDefault); role == int(view.Snippet) {
				style = style.Underline(true) // distinguishes inline code
			}
		case view.Role(role) == view.User: // the user's sentences are bold instead of colored
			style = tcell.StyleDefault.Bold(true)
		case stands == Unknown && auto:
			style = p.onAny(style)
		case p.Colours == "safe" && foreground == tcell.ColorMaroon:
			if style = style.Bold(true); stands == Dark {
				style = style.Foreground(tcell.ColorOlive)
			}
		case p.Colours == "safe" && foreground == tcell.ColorGreen && stands == Dark:
			style = style.Foreground(tcell.ColorTeal)
		case stands == Light:
			style = onLight(view.Role(role), style)
		case stands == Unknown:
			style = onEither(view.Role(role), style)
		}
		p.roles[role] = style
	}
}

// groundFor returns the background to assume for a theme. The "dark" and "light" themes take
// precedence over the color that the terminal reported. That color takes precedence over
// [Looks.Stands], because another terminal may have set COLORFGBG.
func (p *Palette) groundFor(name string) Ground {
	switch {
	case name == "dark" || name != "light" && p.Ground != nil && p.Ground.Dark():
		return Dark
	case name == "light" || p.Ground != nil:
		return Light
	}
	return p.Stands
}

// unreadableOnWhite contains yellow, cyan and green. In seven common palettes, their contrast with
// white is 1.7 to 3.4; only one green reaches 5.4. Blue has a contrast of 3.4 to 12.8.
var unreadableOnWhite = []tcell.Color{tcell.ColorOlive, tcell.ColorTeal, tcell.ColorGreen}

// onLight replaces yellow, cyan and green, which are unreadable on white. Most text in these colors
// becomes blue. Names in source code have the text color instead, because string literals are blue.
// Text with the role [view.System], such as a warning, is magenta, because selected items are blue.
func onLight(role view.Role, style tcell.Style) tcell.Style {
	foreground, _, _ := style.Decompose()
	switch {
	case role == view.Name:
		return tcell.StyleDefault
	case role == view.System:
		return style.Foreground(tcell.ColorPurple)
	case slices.Contains(unreadableOnWhite, foreground):
		return style.Foreground(tcell.ColorNavy)
	}
	return style
}

// onEither removes all colors except red, because none of the sixteen colors is readable on both
// dark and light backgrounds. Each color has a contrast of only 1.4 to 2.2 with white, or with the
// palette's black, in at least one of eight common palettes. Most colored text becomes bold. Errors
// also have a symbol, so they do not depend on color.
func onEither(role view.Role, style tcell.Style) tcell.Style {
	foreground, _, _ := style.Decompose()
	switch {
	case foreground == tcell.ColorMaroon:
		return style.Bold(true)
	case role == view.Name || role == view.Number || role == view.Quoted || role == view.Code:
		return tcell.StyleDefault
	case role == view.Snippet:
		return tcell.StyleDefault.Underline(true)
	case foreground != tcell.ColorDefault:
		return style.Foreground(tcell.ColorDefault).Bold(true)
	}
	return style
}

// middle contains replacements for five of the sixteen colors. Each replacement has a contrast of
// at least 4 with both black and white.
var middle = map[tcell.Color]tcell.Color{
	tcell.ColorTeal: tcell.PaletteColor(31), tcell.ColorGreen: tcell.PaletteColor(64), tcell.ColorOlive: tcell.PaletteColor(130),
	tcell.ColorPurple: tcell.PaletteColor(98), tcell.ColorMaroon: tcell.PaletteColor(161),
}

// onAny returns the style with a text color that is readable on any background.
func (p *Palette) onAny(style tcell.Style) tcell.Style {
	foreground, _, _ := style.Decompose()
	switch {
	case foreground == tcell.ColorDefault:
		return style
	case p.Colours == "safe" && foreground == tcell.ColorGreen:
		return style.Foreground(tcell.PaletteColor(63))
	case p.Colours == "safe" && foreground == tcell.ColorMaroon:
		return style.Foreground(middle[tcell.ColorOlive]).Bold(true)
	}
	return style.Foreground(middle[foreground])
}

func look(role view.Role) tcell.Style {
	plain := tcell.StyleDefault
	switch role {
	case Bar, view.Faint, view.Comment:
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
