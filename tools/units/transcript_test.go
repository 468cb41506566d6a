package units

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestUnitTools converts each unit to the first unit of its kind and back. It also records accepted
// spellings of units and amounts, and the requests for rates.
func TestUnitTools(t *testing.T) {
	played := toolstest.FakeServer(t, "api.frankfurter.dev")
	list := New(played.Client).Tools()
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		if tool == "all" {
			var lines []string
			var failed error
			for i := range kinds {
				first := &kinds[i].units[0]
				for j := range kinds[i].units {
					u := &kinds[i].units[j]
					there, err := convert(12.5, &kinds[i], u, first)
					back, again := convert(there, &kinds[i], first, u)
					lines = append(lines, fmt.Sprintf("%s: 12.5 %s = %s, back %s", kinds[i].name, u.symbol, measure(number(there), first), number(back)))
					failed = errors.Join(failed, err, again)
				}
			}
			return strings.Join(lines, "\n"), failed
		}
		return toolstest.Call(t, list, toolstest.Env(t), tool, args)
	}))
}
