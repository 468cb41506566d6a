package offline

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// Each request is matched with all phrases and frames, for tools that only read and for tools that
// write. The file has the requests, and for each the matching phrase, its values and its weight.
func TestPhraseMatching(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "heard.golden"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(content)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if text != "" && text[0] != '#' {
			text += " => " + heardAs(text)
		}
		out.WriteString(text + "\n")
	}
	goldentest.Assert(t, "heard.golden", strings.TrimSuffix(out.String(), "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}

// heardAs returns how a request is understood if all tools exist, and what differs if these tools
// change something.
func heardAs(text string) string {
	var list []string
	for _, writes := range []bool{false, true} {
		u, ok := (&Model{}).understand(text, func(name string) (Tool, bool) { return Tool{Name: name, Writes: writes}, true })
		told := "nothing"
		if ok {
			var values []string
			for _, name := range slices.Sorted(maps.Keys(u.values)) {
				values = append(values, fmt.Sprintf("%s=%v", name, u.values[name]))
			}
			told = fmt.Sprintf("%s %s {%s} free %v %.2f several %t", u.phrase.locale, u.phrase.tool, strings.Join(values, "; "), u.free, u.weight, u.several)
		}
		if !slices.Contains(list, told) {
			list = append(list, told)
		}
	}
	return strings.Join(list, " | writes: ")
}
