package themes

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/ui/plain"
	"marvin/ui/slash"
	"marvin/ui/theme"
	"marvin/ui/tui"
)

// LookOf returns the theme, the colors and the symbols of the full screen.
func LookOf(w cli.World, settings settings.Config) tui.Looks {
	colours := cmp.Or(settings.Colours, "auto")
	if w.Getenv("NO_COLOR") != "" {
		colours = "none"
	}
	kind := w.Getenv("TERM")
	return tui.Looks{
		Theme: settings.Theme, Colours: colours, Stands: guessGround(kind, w.Getenv("COLORFGBG")), ASCII: settings.Symbols == "ascii" || settings.Symbols == "" && (fewGlyphs(kind) || asciiOnly(w)),
		Asks:   colours != "none" && canQuery(kind),
		Paints: trueColour(w.Getenv("COLORTERM")) && multiplexed(kind),
		Named:  func(name string) (theme.Theme, error) { return FindTheme(w, name) },
	}
}

func trueColour(promise string) bool { return promise == "truecolor" || promise == "24bit" }

// multiplexed is true if the terminal is tmux or GNU Screen. These programs usually do not report
// the properties of the outer terminal.
func multiplexed(kind string) bool {
	return strings.HasPrefix(kind, "tmux") || strings.HasPrefix(kind, "screen")
}

// LineColours returns the colors for plain mode. By default, plain mode has no colors.
func LineColours(w cli.World, settings settings.Config) plain.Colours {
	switch {
	case w.Getenv("NO_COLOR") != "" || w.Getenv("ACCESSIBLE") == "1" || w.Getenv("TERM") == "dumb":
		return plain.NoColours
	case settings.Colours == "safe":
		return plain.SafeColours
	case settings.Colours == "16" || settings.Colours == "256" || settings.Colours == "full":
		return plain.Sixteen
	}
	return plain.NoColours
}

// fewGlyphs reports whether the terminal lacks ticks, arrows and emoji. The Linux console
// and old terminals have fonts of 256 or 512 glyphs.
func fewGlyphs(kind string) bool {
	return strings.HasPrefix(kind, "linux") || strings.HasPrefix(kind, "vt")
}

// asciiOnly reports whether the locale is limited to ASCII. With such a locale, terminals show
// other characters as question marks. Without a locale, Marvin assumes that the terminal shows all
// characters.
func asciiOnly(w cli.World) bool {
	locale := cmp.Or(w.Getenv("LC_ALL"), w.Getenv("LC_CTYPE"), w.Getenv("LANG"))
	return locale == "C" || locale == "POSIX"
}

// guessGround returns the likely background of a terminal, for use until the terminal reports the
// actual background. The Linux console has a black background. The value of COLORFGBG, such as
// "0;15", ends with the number of the background color.
func guessGround(kind, colours string) tui.Ground {
	number, err := strconv.Atoi(colours[strings.LastIndexByte(colours, ';')+1:])
	switch {
	case err == nil && (number == 7 || number == 15):
		return tui.Light
	case err == nil || strings.HasPrefix(kind, "linux"):
		return tui.Dark
	}
	return tui.Unknown
}

// ColoursFinding reports the color theme, and the background that an adaptive theme assumes. If the
// background is unknown, the finding says how to select a theme.
func ColoursFinding(w cli.World, settings settings.Config) cli.Finding {
	looks := LookOf(w, settings)
	f := cli.Finding{What: "colours", Good: true}
	switch name := cmp.Or(looks.Theme, "auto"); {
	case looks.Colours == "none" || name == "mono" || w.Getenv("TERM") == "" || w.Getenv("TERM") == "dumb":
		f.State = "none"
	case name != "auto" && name != "terminal":
		f.State = "theme " + tools.Visible(name)
	case looks.Stands != tui.Unknown:
		f.State = fmt.Sprintf("theme %s, for the %s background that %s reports", name, map[tui.Ground]string{tui.Dark: "dark", tui.Light: "light"}[looks.Stands], map[bool]string{true: "COLORFGBG", false: "TERM"}[w.Getenv("COLORFGBG") != ""])
	case looks.Paints:
		f.State = fmt.Sprintf("theme %s: marvin-dark, unless %s reports whether its background is dark or light (to change this, run marvin config set theme NAME, where NAME is \"marvin-light\" or \"terminal\")", name, w.Getenv("TERM"))
	case looks.Asks:
		f.State = fmt.Sprintf("theme %s, for the background that the terminal reports; tmux 3.3 reports none, so there Marvin uses colors that suit any background (to choose, run marvin config set theme NAME, where NAME is \"dark\" or \"light\")", name)
	default:
		f.State = fmt.Sprintf("theme %s, for any background: the terminal does not report whether its background is dark or light", name)
		f.Good, f.Mend = false, "marvin config set theme dark   (or light)"
	}
	return f
}

// FindTheme returns the theme with the given name: one of the user's own themes, or a theme that
// comes with Marvin. If the user's theme is invalid, the error contains the path of its file.
func FindTheme(w cli.World, name string) (theme.Theme, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "auto", "terminal", "dark", "light", "mono":
		return theme.Theme{Name: name}, nil
	}
	own := settings.ThemeFiles{Home: cli.OpenHome(w)}
	load := func(name string) (string, error) {
		text, err := own.Read(name)
		if errors.Is(err, settings.ErrNoTheme) {
			err = theme.ErrNone
		}
		return text, err
	}
	text, err := load(name)
	if err == nil {
		one, err := theme.Read(name, text, load)
		if err != nil {
			return one, fmt.Errorf("%s: %w", own.Path(name), err)
		}
		return one, nil
	}
	if !errors.Is(err, theme.ErrNone) {
		return theme.Theme{}, err
	}
	if one, ok := theme.Find(name); ok {
		return one, nil
	}
	if near := slash.Suggest(name, theme.Names()); len(near) > 0 {
		return theme.Theme{}, fmt.Errorf("there is no theme %q; did you mean %s?", name, strings.Join(near, " or "))
	}
	return theme.Theme{}, fmt.Errorf("there is no theme %q; to list the themes, run marvin help themes", name)
}
