package custom

import (
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/customtools"
	"marvin/tools"
)

func TestLinesOfStandardErrorComeInPieces(t *testing.T) {
	for _, row := range []struct {
		pieces     []string
		told, said string
	}{
		{[]string{"one\ntwo\n"}, "", "one\ntwo\n"},
		{[]string{"o", "", "ne\ntw", "o"}, "", "one\ntwo\n"},
		{[]string{"\n\n", "one\n\n"}, "", "one\n"},
		{[]string{`{"progress":"a"}` + "\nx\n" + `{"progr`, `ess":"b"}`}, "a|b", "x\n"},
		{[]string{`{"progress":""}` + "\n" + `{"other":1}` + "\n{broken\n" + ` {"progress":"c"}` + "\n"}, "", `{"progress":""}` + "\n" + `{"other":1}` + "\n{broken\n" + ` {"progress":"c"}` + "\n"},
		{[]string{"\none\n\ntwo\n"}, "", "one\ntwo\n"},
		{[]string{"\xff\n"}, "", "�\n"},
		{[]string{strings.Repeat("x", longestLine-1), "yz\n"}, "", strings.Repeat("x", mostSaid-2) + "y\n"},
		{[]string{strings.Repeat("x", longestLine+5) + "\nend\n"}, "", strings.Repeat("x", mostSaid-5) + "\nend\n"},
		{[]string{strings.Repeat("x", mostSaid-1) + "\n"}, "", strings.Repeat("x", mostSaid-1) + "\n"},
		{[]string{strings.Repeat("x", longestLine+9), strings.Repeat("y", 9) + "\n"}, "", strings.Repeat("x", mostSaid-1) + "\n"},
	} {
		var told []string
		l := &stderrLines{tell: func(line string) { told = append(told, line) }}
		for _, piece := range row.pieces {
			if n, err := l.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Errorf("%.40q: %d, %v", piece, n, err)
			}
		}
		l.end()
		if got := strings.Join(told, "|"); got != row.told || l.text() != row.said {
			t.Errorf("%.40q: told %q, said %.60q", row.pieces, got, l.text())
		}
	}
}

func TestCustomToolEffect(t *testing.T) {
	for effect, want := range map[string]struct {
		effect tools.Effect
		brings tools.Origin
	}{"": {tools.Outside, tools.Strangers}, "outside": {tools.Outside, tools.Strangers}, "read": {tools.Reads, tools.Private}, "write": {tools.Writes, tools.Private}, "irreversible": {tools.Irreversible, tools.Private}} {
		tool, err := Make(customtools.Tool{Name: "one", Description: "a", Command: []string{"true"}, Effect: effect, Dir: t.TempDir()})
		if err != nil || tool.Effect != want.effect || tool.Brings != want.brings {
			t.Errorf("%q: %v, %v, %v", effect, tool.Effect, tool.Brings, err)
		}
	}
	dir := t.TempDir()
	for word, want := range map[string]string{"./run": filepath.Join(dir, "run"), "./a/../b": filepath.Join(dir, "b"), "/bin/x": "/bin/x", "x": "x", ".run": ".run"} {
		if got := (customTool{Tool: customtools.Tool{Dir: dir}}).wordPath(word); got != want {
			t.Errorf("%s lies at %s", word, got)
		}
	}
}
