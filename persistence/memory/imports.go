package memory

import (
	"fmt"
	"path/filepath"
	"strings"

	"marvin/persistence"
)

// Read returns the facts in another assistant's file. In a Markdown file such as CLAUDE.md,
// MEMORY.md or AGENTS.md, each bullet is a fact. In a YAML file such as preferences.yaml, each
// entry is a fact. Read ignores other lines, such as instructions and headings.
func Read(path string) (texts []string, err error) {
	text, err := persistence.ReadText(path)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("%s is empty or does not exist; name a file such as CLAUDE.md or preferences.yaml", path)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return preferences(text), nil
	}
	for _, piece := range parse(&file{}, text) {
		if piece.fact != nil && bullet(strings.TrimSpace(piece.raw)) {
			texts = append(texts, piece.fact.Text)
		}
	}
	return texts, nil
}

// preferences returns the non-empty entries of a preferences.yaml.
func preferences(text string) (texts []string) {
	key, values := "", []string(nil)
	flush := func() {
		value := strings.Trim(strings.Join(values, ", "), "[]\"' ")
		if key != "" && value != "" && value != "{}" {
			texts = append(texts, "My "+strings.ReplaceAll(key, "_", " ")+": "+value)
		}
		key, values = "", nil
	}
	for raw := range strings.Lines(text) {
		line, _, _ := strings.Cut(raw, " #")
		line = strings.TrimSpace(line)
		name, value, named := strings.Cut(line, ":")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "- "):
			values = append(values, strings.Trim(line[2:], "\"' "))
		case named && raw[0] != ' ':
			flush()
			key, value = name, strings.Trim(strings.TrimSpace(value), "[]\"'")
			if value != "" && value != "|" && value != ">" {
				values = []string{value}
			}
		default:
			values = append(values, line)
		}
	}
	flush()
	return texts
}
