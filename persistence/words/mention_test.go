package words_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"marvin/persistence/words"
)

func TestAPromptNamesFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"main.go": "package", "a/b.txt": "12345", "odd:7": "x", "my notes.md": "n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main := words.Mention{Path: "main.go", Size: 7}
	for text, want := range map[string][]words.Mention{
		"look at @main.go.":                  {main},
		"@main.go and @main.go, again":       {main},
		"@main.go:3":                         {{Path: "main.go", Size: 7, First: 3, Last: 3}},
		"(@main.go)":                         nil, // in a bracket nothing begins a word
		"(see @main.go#L10-L20)":             {{Path: "main.go", Size: 7, First: 10, Last: 20}},
		"@main.go:20-10 @main.go:0 @main.go": {main},
		"@odd:7":                             {{Path: "odd:7", Size: 1}},
		`@my\ notes.md`:                      {{Path: "my notes.md", Size: 1}},
		"bob@main.go `@main.go` @gone.go @/etc/hostname @../x": nil,
		"```\n@main.go\n```": nil,
	} {
		if got := words.Mentions(text, dir); !slices.Equal(got, want) {
			t.Errorf("%q names %+v, want %+v", text, got, want)
		}
	}
	if got := words.Mentions("@a/ @a/b.txt", dir); len(got) != 2 || !got[0].Dir || got[0].Path != "a" || got[1].Size != 5 {
		t.Errorf("%+v", got)
	}
	if got := words.Mentions("@main.go", ""); got != nil {
		t.Errorf("without a directory: %+v", got)
	}
}
