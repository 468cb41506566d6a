package themes

import (
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/ui/plain"
)

func TestLinesHaveColoursIfTheyAreSet(t *testing.T) {
	for _, test := range []struct {
		set, unwanted string
		want          plain.Colours
	}{
		{"", "", plain.NoColours},
		{"auto", "", plain.NoColours},
		{"none", "", plain.NoColours},
		{"16", "", plain.Sixteen},
		{"256", "", plain.Sixteen},
		{"full", "", plain.Sixteen},
		{"safe", "", plain.SafeColours},
		{"16", "NO_COLOR=1", plain.NoColours},
		{"safe", "ACCESSIBLE=1", plain.NoColours},
		{"full", "TERM=dumb", plain.NoColours},
	} {
		world := cli.World{Getenv: func(name string) string {
			value, _ := strings.CutPrefix(test.unwanted, name+"=")
			if value == test.unwanted { // it is of another name
				return ""
			}
			return value
		}}
		settings := settings.Config{}
		settings.Colours = test.set
		if got := LineColours(world, settings); got != test.want {
			t.Errorf("%q with %q: %v, not %v", test.set, test.unwanted, got, test.want)
		}
	}
}
