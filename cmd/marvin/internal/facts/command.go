package facts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/memory"
	"marvin/tools"
)

// Command runs /memory with the given arguments. If exactly one fact matches, "/memory forget"
// removes the fact. If several facts match, "/memory forget" lists them and removes none.
func (d Editor) Command(words string) (string, error) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(words), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case verb == "add" && rest != "":
		said, _, err := d.Add(rest, "")
		return said, err
	case verb == "edit" && rest != "":
		id, text, _ := strings.Cut(rest, " ")
		said, _, err := d.Edit(id, text)
		return said, err
	case (verb == "accept" || verb == "refuse") && rest != "":
		return d.Answer(rest, verb == "accept")
	case verb == "forget" && rest != "":
		return d.forget(rest)
	case verb == "list" || verb == "search":
		words = rest
	}
	facts, err := d.List(words)
	return d.Text(facts, "/memory"), err
}

func (d Editor) forget(query string) (string, error) {
	named, everywhere := strings.CutPrefix(query, "--everywhere")
	if !everywhere {
		named, everywhere = strings.CutSuffix(query, "--everywhere")
	}
	found, err := d.Find(strings.TrimSpace(named))
	if err != nil {
		return "", err
	}
	if len(found) > 1 {
		var list strings.Builder
		for _, fact := range found {
			fmt.Fprintf(&list, "%s  %s\n", fact.ID, tools.Visible(fact.Text))
		}
		return fmt.Sprintf("%d facts contain these words; forget one of them with /memory forget ID:\n%s", len(found), list.String()), nil
	}
	done, err := d.Forget(found, everywhere)
	return done.Text(everywhere), err
}

// AddRule returns the diff that adds a line to AGENTS.md in the repository that contains dir. If
// write is true, AddRule also adds the line.
func AddRule(dir, text string, write bool) (path, diff string, err error) {
	if dir == "" {
		return "", "", errors.New("this conversation has no directory, so there is no AGENTS.md to add the line to; choose a directory with /cd DIR")
	}
	if text, err = memory.CleanText(text); err != nil {
		return "", "", err
	}
	at := memory.Root(dir)
	path = filepath.Join(at, "AGENTS.md")
	root, err := os.OpenRoot(at)
	if err != nil {
		return path, "", err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	before, err := root.ReadFile("AGENTS.md")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return path, "", fmt.Errorf("add a line to AGENTS.md: %w", err)
	}
	added := "- " + text + "\n"
	lines := strings.SplitAfter(string(before), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		added = "\n" + added
	}
	context := lines[max(0, len(lines)-3):]
	var out strings.Builder
	fmt.Fprintf(&out, "--- AGENTS.md\n+++ AGENTS.md\n@@ -%d,%d +%d,%d @@\n", len(lines)-len(context)+1, len(context), len(lines)-len(context)+1, len(context)+1)
	for _, line := range context {
		out.WriteString(" " + tools.Visible(strings.TrimRight(line, "\n")) + "\n")
	}
	out.WriteString("+- " + tools.Visible(text) + "\n")
	if !write {
		return path, out.String(), nil
	}
	file, err := root.OpenFile("AGENTS.md", os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return path, "", fmt.Errorf("add a line to AGENTS.md: %w", err)
	}
	_, err = file.WriteString(added)
	return path, out.String(), errors.Join(err, file.Close())
}
