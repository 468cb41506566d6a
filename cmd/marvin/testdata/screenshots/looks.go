package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What Marvin's screen would look like if it were drawn in another way: the real program, built
// from its sources with a few places changed, by the overlay of the go command. Nothing of it is
// in the program that people have, and there is no setting for it.

// edit changes one place of a source.
type edit struct{ file, was, is string }

// built is the directory of the Marvin of a scene. The one without edits is built once.
func built(place, scene string, edits []edit) (directory string, err error) {
	if len(edits) == 0 {
		scene = "as it is"
	}
	directory = filepath.Join(place, "marvin", strings.ReplaceAll(scene, " ", "-"))
	program := filepath.Join(directory, "marvin")
	if _, err := os.Stat(program); err == nil {
		return directory, nil
	}
	args := []string{"build", "-trimpath", "-o", program}
	if len(edits) > 0 {
		overlay, err := overlaid(directory, edits)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.Command("go", append(args, "./cmd/marvin")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build Marvin: %w\n%s", err, out)
	}
	return directory, nil
}

// overlaid writes the changed sources and what the go command has to know of them.
func overlaid(directory string, edits []edit) (path string, err error) {
	changed := map[string]string{}
	for _, one := range edits {
		source, ok := changed[one.file]
		if !ok {
			data, err := os.ReadFile(one.file)
			if err != nil {
				return "", err
			}
			source = string(data)
		}
		if !strings.Contains(source, one.was) {
			return "", fmt.Errorf("%s has no %q any more: say in looks.go what stands there now", one.file, one.was)
		}
		changed[one.file] = strings.Replace(source, one.was, one.is, 1)
	}
	replaced := map[string]string{}
	for file, source := range changed {
		replaced[file] = filepath.Join(directory, strings.ReplaceAll(file, "/", "_"))
		if err := os.MkdirAll(directory, 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(replaced[file], []byte(source), 0o644); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path = filepath.Join(directory, "overlay.json")
	return path, os.WriteFile(path, data, 0o644)
}

// cards has each thing that was said or done in a frame with its name.
var cards = []edit{
	{"ui/view/block.go", "func (b *Block) Lines(width int, open bool, now time.Time) []Line {", `func (b *Block) Lines(width int, open bool, now time.Time) []Line {
	inner := b.inner(max(width-4, minWidth), open, now)
	if len(inner) > 0 && len(inner[0]) == 0 {
		inner = inner[1:]
	}
	name := map[Kind]string{Prompt: "you", Answer: "marvin", Thinking: "thoughts", Call: "tool", Notice: "note", Failure: "problem"}[b.Kind]
	role := Faint
	if b.Kind == Prompt {
		role = Assistant
	}
	lines := []Line{{{Role: role, Text: "╭─ " + name + " " + strings.Repeat("─", max(width-len(name)-5, 0)) + "╮"}}}
	for _, line := range inner {
		row := append(Line{{Role: role, Text: "│ "}}, line...)
		row = append(row, Span{Role: Plain, Text: strings.Repeat(" ", max(width-3-line.Width(), 0))}, Span{Role: NoGround}, Span{Role: role, Text: "│"})
		lines = append(lines, row)
	}
	return append(lines, Line{{Role: role, Text: "╰" + strings.Repeat("─", max(width-2, 0)) + "╯"}})
}

func (b *Block) inner(width int, open bool, now time.Time) []Line {`},
	{"ui/tui/internal/canvas/palette.go", "view.Band: theme.BandGround, ", ""},
}

// bare has no marks and no grounds: a rule where a turn begins, and the words.
var bare = []edit{
	{"ui/tui/internal/canvas/palette.go", "view.Band: theme.BandGround, view.Ground: theme.CodeGround,", ""},
	{"ui/view/block.go", `"› "}, User`, `""}, Strong`},
	{"ui/view/block.go", "func (b *Block) Lines(width int, open bool, now time.Time) []Line {", `func (b *Block) Lines(width int, open bool, now time.Time) []Line {
	lines := b.inner(width, open, now)
	if b.Kind == Prompt {
		if len(lines) > 0 && len(lines[0]) == 0 {
			lines = lines[1:]
		}
		lines = append([]Line{{{Role: Faint, Text: strings.Repeat("─", width)}}}, lines...)
	}
	return lines
}

func (b *Block) inner(width int, open bool, now time.Time) []Line {`},
	{"ui/view/document.go", `"● "`, `"  "`},
	{"ui/tui/internal/canvas/rows.go", "const FramedFrom = 18", "const FramedFrom = 1000"},
}
