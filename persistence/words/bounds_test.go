package words

import (
	"fmt"
	"strings"
	"testing"
)

// The number, the depth and the size of a file's imports are limited. Imports beyond a limit are
// omitted and reported.
func TestImportsHaveBounds(t *testing.T) {
	many := func(count int) (files map[string]string) {
		files = map[string]string{}
		for n := range count {
			files["AGENTS.md"] += fmt.Sprintf("@m%d.md\n", n)
			files[fmt.Sprintf("m%d.md", n)] = "one"
		}
		return files
	}
	deep := func(count int) (files map[string]string) {
		files = map[string]string{"AGENTS.md": "@d0.md"}
		for n := range count {
			files[fmt.Sprintf("d%d.md", n)] = fmt.Sprintf("at %d\n@d%d.md", n, n+1)
		}
		return files
	}
	for name, test := range map[string]struct {
		files   map[string]string
		imports int
		omitted string
	}{
		"as many as may be": {many(mostImports), mostImports, ""},
		"one more":          {many(mostImports + 1), mostImports, "@m40.md is more than 40 imports"},
		"as deep":           {deep(deepest), deepest, ""},
		"one deeper":        {deep(deepest + 1), deepest, "@d5.md is nested more than 5 imports deep"},
		"as much":           {map[string]string{"AGENTS.md": "@a.md\n@b.md", "a.md": strings.Repeat("a", importBytes-1), "b.md": "b"}, 2, ""},
		"all of it":         {map[string]string{"AGENTS.md": "@a.md\n@b.md", "a.md": strings.Repeat("a", importBytes), "b.md": "b"}, 1, "@b.md is beyond the 128 kB that one file may import"},
		"twice":             {map[string]string{"AGENTS.md": "@a.md\n@a.md", "a.md": "a"}, 1, "@a.md is in it already"},
		"from outside":      {map[string]string{"AGENTS.md": "@../a.md\n@~/b\n@/etc/passwd\n@somebody"}, 0, "@../a.md leads outside the repository|@~/b leads outside the repository|@/etc/passwd leads outside the repository"},
		"what is not there": {map[string]string{"AGENTS.md": "@a.md\n@name"}, 0, ""},
	} {
		file := look(t, repository(t, test.files)).Files[0]
		if len(file.Imports) != test.imports || strings.Join(file.Omitted, "|") != test.omitted {
			t.Errorf("%s: %d imports, omitted %q", name, len(file.Imports), file.Omitted)
		}
	}
}

// A file of exactly the limit is read completely, even if its last byte is invalid and becomes a
// replacement character. Of a longer file the missing bytes are counted, and a partial character at
// the end is omitted.
func TestAFileIsReadUpToItsLimit(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		ends string
		cut  int64
	}{
		"short":                          {"all", "all", 0},
		"with a stranger at its end":     {"all �", "all �", 0},
		"with a broken byte at its end":  {"all \xff", "all �", 0},
		"at the limit":                   {strings.Repeat("x", fileBytes), "xx", 0},
		"beyond it":                      {strings.Repeat("x", fileBytes) + "yz", "xx", 2},
		"in the middle of a character":   {strings.Repeat("x", fileBytes-1) + "äb", "xx", 2},
		"with lines of another system":   {"\ufeffa\r\nb", "a\nb", 0},
		"of a Windows editor":            {"\xff\xfeR\x00u\x00n\x00\r\x00\n\x00\xe4\x00", "Run\nä", 0},
		"in UTF-16 of the other order":   {"\xfe\xff\x00R\x00u\x00n", "Run", 0},
		"with a zero in it":              {"a\x00b", "", 0},
		"with nothing but its beginning": {"\ufeff", "", 0},
	} {
		dir := repository(t, map[string]string{"AGENTS.md": test.text})
		text, cut, err := read(tree{path: dir}, "AGENTS.md", fileBytes)
		if !strings.HasSuffix(text, test.ends) || len(text) > fileBytes || cut != test.cut || (err != nil) != (test.text == "a\x00b") || len(test.text) < 20 && text != test.ends {
			t.Errorf("%s: %d bytes that end with %q, %d are cut, %v", name, len(text), text[max(0, len(text)-4):], cut, err)
		}
	}
}
