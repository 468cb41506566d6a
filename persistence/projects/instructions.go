package projects

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// Text is a file that goes into the prompt.
type Text struct {
	Path string
	Text string
	Name string // path below the working directory, or "" for the user's own file
	Sum  string // the hash of the text, if already computed
}

// Instructions reads the first of these files that is not blank:
//
//   - instructions/<name>.md in Marvin's configuration directory
//   - instructions/<name>.md in ~/.marvin, which older versions of Marvin used
//   - <dir>/.marvin-instructions
//   - <dir>/.marvin/instructions.md
//
// dir must be absolute. <name> is dir without the leading slash and with "_" for every other slash.
// If there is no such file, the result is the zero value. Instructions can return both text and an
// error about an unreadable file.
func Instructions(h *store.Home, dir string) (Text, error) {
	var failed error
	if h.User != "" {
		name := strings.ReplaceAll(strings.Trim(filepath.ToSlash(dir), "/"), "/", "_") + ".md"
		for _, own := range []string{filepath.Join(h.Words, "instructions"), filepath.Join(h.User, ".marvin", "instructions")} {
			path := filepath.Join(own, name)
			text, err := store.ReadUpTo(os.OpenFile, path, store.PromptLimit)
			if strings.TrimSpace(text) != "" {
				return Text{Path: path, Text: text}, nil
			}
			failed = errors.Join(failed, err)
		}
	}
	texts, err := projectTexts(dir, ".marvin-instructions", ".marvin/instructions.md")
	failed = errors.Join(failed, err)
	if len(texts) == 0 {
		return Text{}, failed
	}
	return texts[0], failed
}

// ProjectDocuments reads .marvin/spec.md, ux.md and design.md under dir, in this order. It skips
// files that are missing or empty.
func ProjectDocuments(dir string) ([]Text, error) {
	return projectTexts(dir, ".marvin/spec.md", ".marvin/ux.md", ".marvin/design.md")
}

// projectTexts reads files in dir. It follows no link out of dir, because a link in an untrusted
// project could otherwise put the user's keys into the prompt.
func projectTexts(dir string, names ...string) ([]Text, error) {
	if dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("project instructions: %w", err)
	}
	defer root.Close()
	var texts []Text
	var failed error
	for _, name := range names {
		text, err := store.ReadUpTo(root.OpenFile, name, store.PromptLimit)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", filepath.Join(dir, name), err))
		}
		if strings.TrimSpace(text) != "" {
			texts = append(texts, Text{Path: filepath.Join(dir, name), Text: text, Name: name})
		}
	}
	return texts, failed
}
