package theme

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Token is the purpose of a color.
type Token uint8

// A built-in theme defines only the first group of tokens. A user's theme can also define the
// second group. Undefined colors of the second group are computed.
const (
	Ground Token = iota
	Text
	Faint
	Accent // prompts, names, links, selected items
	Good
	Bad
	Warn
	Keyword
	String
	Number

	CodeGround // background of code
	BandGround // background of prompts
	GoodGround // background of added lines
	BadGround  // background of removed lines
	GoodWords  // background of changed words in added lines
	BadWords   // background of changed words in removed lines

	tokens
)

var names = [tokens]string{
	"ground", "text", "faint", "accent", "good", "bad", "warn", "keyword", "string", "number",
	"code-ground", "band-ground", "good-ground", "bad-ground", "good-words", "bad-words",
}

// requiredTokens is the number of tokens in the first group.
const requiredTokens = int(Number) + 1

// Theme is a set of colors, all readable on their backgrounds.
type Theme struct {
	Name   string
	Source string // where its colors were published; "" for a user's theme
	Paints bool   // whether the theme replaces the terminal's background

	colours [tokens]RGB
}

// Colour returns the color of a token.
func (t *Theme) Colour(token Token) RGB { return t.colours[token] }

// Dark reports whether the background is dark.
func (t *Theme) Dark() bool { return t.colours[Ground].Dark() }

// The minimum contrast between text and its background.
const (
	minTextContrast  = 4.5
	minFaintContrast = 3.0
)

//go:embed palettes.txt
var palettes string

// shipped returns the built-in themes.
var shipped = sync.OnceValue(func() []Theme {
	var list []Theme
	for line := range strings.Lines(palettes) {
		words := strings.Fields(line)
		if len(words) != requiredTokens+2 || words[0] == "#" {
			continue
		}
		one := Theme{Name: words[0], Source: words[requiredTokens+1], Paints: true}
		for i, word := range words[1 : requiredTokens+1] {
			one.colours[i], _ = parse(word) // a test checks that all colors are valid
		}
		list = append(list, one)
	}
	return list
})

// Names returns the names of the built-in themes, in the order of palettes.txt.
func Names() []string {
	var list []string
	for _, one := range shipped() {
		list = append(list, one.Name)
	}
	return list
}

// Find returns the built-in theme with the given name, or false if there is none.
func Find(name string) (Theme, bool) {
	at := slices.IndexFunc(shipped(), func(one Theme) bool { return one.Name == name })
	if at < 0 {
		return Theme{}, false
	}
	one := shipped()[at]
	one.derive(nil)
	return one, true
}

// ForGround returns Marvin's dark or light theme, adapted to the terminal's background. If the
// contrast is too low, as on medium gray, ok is false.
func ForGround(ground RGB) (adapted Theme, ok bool) {
	name := "marvin-dark"
	if !ground.Dark() {
		name = "marvin-light"
	}
	at := slices.IndexFunc(shipped(), func(one Theme) bool { return one.Name == name })
	one := shipped()[at]
	one.Paints, one.colours[Ground] = false, ground
	one.derive(nil)
	return one, Contrast(one.colours[Text], ground) >= 7
}

// Safe returns a version of the theme for users who cannot tell red from green. Its blue and orange
// come from the palette by Okabe and Ito, which suits all kinds of color vision
// (jfly.uni-koeln.de/color).
func (t Theme) Safe() Theme {
	t.colours[Good], t.colours[Bad] = 0x56b4e9, 0xe69f00
	if !t.Dark() {
		t.colours[Good], t.colours[Bad] = 0x0072b2, 0xd55e00
	}
	t.colours[Warn], t.colours[String] = 0xcc79a7, t.colours[Good]
	t.derive(nil)
	return t
}

// derive corrects unreadable colors and computes the backgrounds that the theme does not define. A
// computed background differs from the main background as much as possible while text on it stays
// readable.
func (t *Theme) derive(defined []Token) {
	c := &t.colours
	if !slices.Contains(defined, CodeGround) {
		c[CodeGround] = mix(c[Ground], c[Text], 0.06)
	}
	for token := Text; token <= Number; token++ {
		c[token] = readable(c[token], minContrast(token), c[Ground], c[CodeGround])
	}
	for token := BandGround; token < tokens; token++ {
		if slices.Contains(defined, token) {
			continue
		}
		from := [tokens]struct {
			token Token
			much  float64
		}{BandGround: {Text, 0.10}, GoodGround: {Good, 0.12}, BadGround: {Bad, 0.12}, GoodWords: {Good, 0.35}, BadWords: {Bad, 0.35}}[token]
		c[token] = c[Ground]
		for step := 16; step > 0; step-- {
			if made := mix(c[Ground], c[from.token], from.much*float64(step)/16); t.staysReadable(token, made) {
				c[token] = made
				break
			}
		}
	}
}

// minContrast returns the minimum contrast between a kind of text and its background.
func minContrast(token Token) float64 {
	if token == Faint {
		return minFaintContrast
	}
	return minTextContrast
}

// tokensOn returns the tokens for text on a background. The background of changed words, such as
// [GoodWords], is used only for [Text].
func tokensOn(ground Token) []Token {
	if ground == GoodWords || ground == BadWords {
		return []Token{Text}
	}
	return []Token{Text, Faint, Accent, Good, Bad, Warn, Keyword, String, Number}
}

// staysReadable reports whether text would be readable if the background had the given color.
func (t *Theme) staysReadable(ground Token, colour RGB) bool {
	return !slices.ContainsFunc(tokensOn(ground), func(token Token) bool { return Contrast(t.colours[token], colour) < minContrast(token) })
}

// deepest is the maximum number of themes in a chain of "base" lines.
const deepest = 8

// Read parses a theme that the user wrote. A line is "token: #color", "base: NAME", or a comment
// that begins with "#". If the theme does not define a required token, the color comes from the
// base theme. The default base is marvin-dark. If a "base" line names a theme, Read gets the text
// of that theme from load. If load is nil or returns [ErrNone], Read uses the built-in theme with
// that name.
func Read(name, text string, load func(name string) (string, error)) (Theme, error) {
	return read(name, text, load, []string{name})
}

// ErrNone means that there is no theme with the requested name.
var ErrNone = errors.New("there is no such theme")

func read(name, text string, load func(string) (string, error), chain []string) (Theme, error) {
	one, _ := Find("marvin-dark")
	set, own, base := map[Token]RGB{}, []Token{}, ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if key == "" || key[0] == '#' {
			continue
		}
		at := slices.Index(names[:], key)
		switch {
		case ok && key == "base":
			base = strings.ToLower(value)
		case !ok || at < 0:
			return one, fmt.Errorf("line %d: %q is not a key; the keys are base, %s", number, key, strings.Join(names[:], ", "))
		default:
			value, _, _ = strings.Cut(value, " ") // the rest is a comment
			colour, err := parse(value)
			if err != nil {
				return one, fmt.Errorf("line %d: %w", number, err)
			}
			set[Token(at)], own = colour, append(own, Token(at))
		}
	}
	if base != "" {
		found, err := loadBase(base, load, chain)
		if err != nil {
			return one, err
		}
		one = found
	}
	one.Name, one.Source, one.Paints = name, "", true
	for token, colour := range set {
		one.colours[token] = colour
	}
	one.derive(own)
	return one, nil
}

// loadBase loads the theme named in a "base" line.
func loadBase(base string, load func(string) (string, error), chain []string) (Theme, error) {
	if slices.Contains(chain, base) {
		return Theme{}, fmt.Errorf("the theme %s is based on itself through its \"base\" line (%s)", base, strings.Join(append(chain, base), " → "))
	}
	if len(chain) == deepest {
		return Theme{}, fmt.Errorf("the chain of \"base\" lines is longer than %d themes", deepest)
	}
	if load != nil {
		text, err := load(base)
		if err == nil {
			return read(base, text, load, append(chain, base))
		}
		if !errors.Is(err, ErrNone) {
			return Theme{}, err
		}
	}
	if one, ok := Find(base); ok {
		return one, nil
	}
	return Theme{}, fmt.Errorf("base: %q: %w", base, ErrNone)
}
