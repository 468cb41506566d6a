package theme

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEveryThemeCanBeRead(t *testing.T) {
	dark, light := 0, 0
	var all []Theme
	for _, name := range Names() {
		one, _ := Find(name)
		all = append(all, one, one.Safe())
		if one.Dark() {
			dark++
		} else {
			light++
		}
	}
	for _, ground := range []RGB{0, 0xffffff, 0x1e1e1e, 0xfdf6e3, 0x300a24, 0x002b36} {
		one, ok := ForGround(ground)
		if !ok || one.Colour(Ground) != ground || one.Paints {
			t.Errorf("over %06x: %+v", ground, one)
		}
		all = append(all, one)
	}
	for _, ground := range []RGB{0x777777, 0x808000} {
		if _, ok := ForGround(ground); ok {
			t.Errorf("there is a theme over %06x", ground)
		}
	}
	for _, one := range all {
		for ground := range tokens {
			if ground > Ground && ground < CodeGround {
				continue
			}
			for _, token := range tokensOn(ground) {
				least := minTextContrast
				if token == Faint {
					least = minFaintContrast
				}
				if got := Contrast(one.Colour(token), one.Colour(ground)); got < least {
					t.Errorf("%s: %s %06x on %s %06x has a contrast of %.2f, not %.1f", one.Name, names[token], one.Colour(token), names[ground], one.Colour(ground), got, least)
				}
			}
		}
		if Contrast(one.Colour(CodeGround), one.Colour(Ground)) < 1.01 || one.Colour(GoodWords) == one.Colour(Ground) {
			t.Errorf("%s: code %06x and words %06x have no background", one.Name, one.Colour(CodeGround), one.Colour(GoodWords))
		}
	}
	if dark < 20 || light < 12 {
		t.Errorf("%d dark themes and %d light ones", dark, light)
	}
}

// The lines of the file are complete, and a readable color is the published one.
func TestThePalettesAreReadAsTheyStand(t *testing.T) {
	lines := 0
	for line := range strings.Lines(palettes) {
		if line[0] == '#' {
			continue
		}
		lines++
		words := strings.Fields(line)
		if len(words) != requiredTokens+2 {
			t.Fatalf("%q has %d words", line, len(words))
		}
		one, ok := Find(words[0])
		if !ok {
			t.Fatalf("%s is not found", words[0])
		}
		for i, word := range words[1 : requiredTokens+1] {
			colour, err := parse(word)
			if err != nil {
				t.Errorf("%s: %v", words[0], err)
			}
			if i == 0 && one.Colour(Ground) != colour {
				t.Errorf("%s: the ground is %06x", words[0], one.Colour(Ground))
			}
		}
	}
	if lines != len(Names()) || lines < 30 {
		t.Errorf("%d lines, %d themes", lines, len(Names()))
	}
	if one, _ := Find("nord"); one.Colour(Accent) != 0x88c0d0 || one.Colour(Text) != 0xd8dee9 {
		t.Errorf("nord is %06x on %06x", one.Colour(Accent), one.Colour(Text))
	}
}

func TestAThemeOfADozenLines(t *testing.T) {
	one, err := Read("mine", "# mine\nbase: gruvbox-light\naccent: #f00 red\n\ncode-ground: 112233\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := Find("gruvbox-light")
	if one.Colour(Ground) != base.Colour(Ground) || one.Colour(CodeGround) != 0x112233 || one.Name != "mine" || !one.Paints {
		t.Errorf("%+v", one)
	}
}

func TestBrokenThemesAreRefused(t *testing.T) {
	files := map[string]string{"a": "base: b", "b": "base: c\n", "c": "base: a"}
	for i := range 20 {
		files[fmt.Sprintf("d%d", i)] = fmt.Sprintf("base: d%d", i+1)
	}
	load := func(name string) (string, error) {
		if name == "unread" {
			return "", errors.New("it is a pipe")
		}
		if text, ok := files[name]; ok {
			return text, nil
		}
		return "", ErrNone
	}
	for text, says := range map[string]string{
		"accent: red":               `line 1: "red" is not a color`,
		"\n\nacent: #fff":           `line 3: "acent" is not a key`,
		"accent":                    "line 1",
		"accent: #12345":            "not a color",
		"accent: #+12345":           "not a color",
		"base: nothing":             "no such theme",
		"base: mine":                `is based on itself through its "base" line (mine → mine)`,
		"base: a":                   "is based on itself",
		"base: d0":                  "longer than 8",
		"base: unread":              "a pipe",
		strings.Repeat("x", 100000): "line 1",
		"accent: \x1b]52;c;eA==\a":  "not a color",
	} {
		if _, err := Read("mine", text, load); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v, which does not say %q", text, err, says)
		}
	}
}

// A changed line is readable in all syntax colors; its changed words have one color.
func TestDiffColors(t *testing.T) {
	for token := Token(0); token <= BadWords; token++ {
		on := tokensOn(token)
		if words := token == GoodWords || token == BadWords; words != (len(on) == 1) || !slices.Contains(on, Text) || words == slices.Contains(on, Keyword) {
			t.Errorf("on %d stand %v", token, on)
		}
	}
}
