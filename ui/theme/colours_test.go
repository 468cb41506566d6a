package theme_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/ui/theme"
)

func TestThemeColors(t *testing.T) {
	var all strings.Builder
	tell := func(name string, one theme.Theme) {
		fmt.Fprintf(&all, "%-28s dark %v paints %v %q", name, one.Dark(), one.Paints, one.Source)
		for token := theme.Ground; token <= theme.BadWords; token++ {
			fmt.Fprintf(&all, " %06x", uint32(one.Colour(token)))
		}
		all.WriteString("\n")
	}
	for _, name := range theme.Names() {
		one, ok := theme.Find(name)
		if !ok {
			t.Error(name)
		}
		tell(name, one)
		tell(name+" safe", one.Safe())
	}
	for _, ground := range []theme.RGB{0x000000, 0xffffff, 0x777777, 0x808080, 0x300a24, 0xfdf6e3, 0x404040, 0xa0a0a0} {
		one, ok := theme.ForGround(ground)
		tell(fmt.Sprintf("over %06x %v", uint32(ground), ok), one)
	}
	for name, text := range map[string]string{
		"dim": "ground: #202020\ntext: #303030 # too dim\ngood-words: #00ff00\n", "grounds": "base: marvin-light\n\n# mine\ncode-ground: #eeeeee\nband-ground: #dddddd\n",
	} {
		one, err := theme.Read(name, text, nil)
		if err != nil {
			t.Error(err)
		}
		tell(name, one)
	}
	lines := strings.Split(strings.TrimSuffix(all.String(), "\n"), "\n")
	if last := lines[len(lines)-2:]; last[0] > last[1] { // a map has no order
		lines[len(lines)-2], lines[len(lines)-1] = last[1], last[0]
	}
	goldentest.Assert(t, "colours.txt", strings.Join(lines, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}

func TestThemeInheritanceDepth(t *testing.T) {
	load := func(most int) func(string) (string, error) {
		return func(name string) (string, error) {
			var number int
			if _, err := fmt.Sscanf(name, "t%d", &number); err != nil {
				return "", theme.ErrNone
			}
			if number == most {
				return "accent: #ff0000", nil
			}
			return fmt.Sprintf("base: T%d", number+1), nil
		}
	}
	for most, fits := range map[int]bool{6: true, 7: true, 8: false} {
		_, err := theme.Read("t0", "base: t1", load(most))
		if fits != (err == nil) || !fits && err.Error() != "the chain of \"base\" lines is longer than 8 themes" {
			t.Errorf("%d behind the first: %v", most, err)
		}
	}
	if _, err := theme.Read("a", "base: b", func(string) (string, error) { return "base: a", nil }); err == nil || err.Error() != "the theme a is based on itself through its \"base\" line (a → b → a)" {
		t.Errorf("%v", err)
	}
	broken := fmt.Errorf("it cannot be read")
	if _, err := theme.Read("a", "base: b", func(string) (string, error) { return "", broken }); err != broken {
		t.Errorf("%v", err)
	}
	if _, err := theme.Read("a", "base: b", nil); err == nil || err.Error() != `base: "b": there is no such theme` {
		t.Errorf("%v", err)
	}
}
