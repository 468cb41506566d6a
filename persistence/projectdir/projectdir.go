// Package projectdir keeps Marvin's files out of a project's commits.
//
// The directory .marvin contains files that Marvin makes, such as notes and logs, and files that a
// team writes, such as agents and skills. Marvin's .marvin/.gitignore excludes everything except
// the team's files and existing files that Marvin did not make. It therefore excludes files that a
// later version of Marvin makes. If the project has its own .marvin/.gitignore, Marvin writes a
// .gitignore to each directory that Marvin makes.
package projectdir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Name is the name of Marvin's directory in a project.
const Name = ".marvin"

// products contains the names of the directories that Marvin makes in .marvin.
var products = []string{"artifacts", "index", "jobs", "logs", "notes", "products"}

// Product reports whether a slash-separated path contains a product directory, such as
// .marvin/notes.
func Product(name string) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		if part == Name && slices.Contains(products, parts[i+1]) {
			return true
		}
	}
	return false
}

// teamFiles contains patterns for the files that a team shares.
var teamFiles = []string{
	"AGENTS.md", "APPEND_SYSTEM.md", "RULES.md", "SYSTEM.md", "agents", "commands", "config*", "design.md", "hooks*", "instructions.md", "mcp*", "rules", "settings*", "skills", "spec.md", "tools", "ux.md",
}

const head = "# Written by Marvin: its notes, logs and jobs are not committed. Files that a team shares are.\n*\n"

// Hide makes git ignore a product directory, such as .marvin/notes. The directory must exist.
func Hide(root *os.Root, product string) error {
	ignore := path.Join(Name, ".gitignore")
	if _, err := root.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		text, err := lines(root)
		if err != nil {
			return err
		}
		if err := write(root, ignore, text); err != nil {
			return err
		}
	}
	if text, err := root.ReadFile(ignore); err == nil && strings.HasPrefix(string(text), head) {
		return nil
	}
	return write(root, path.Join(Name, product, ".gitignore"), "*\n")
}

// lines returns the text of .marvin/.gitignore.
func lines(root *os.Root) (string, error) {
	dir, err := root.Open(Name)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	there, err := dir.Readdirnames(1000)
	names := slices.Clone(teamFiles)
	for _, name := range there {
		if !slices.Contains(products, name) && !strings.ContainsAny(name, "\n\\*?[") {
			names = append(names, strings.TrimRight(name, " "))
		}
	}
	slices.Sort(names)
	var text strings.Builder
	text.WriteString(head)
	for _, name := range slices.Compact(names) {
		text.WriteString("!/" + name + "\n!/" + name + "/**\n")
	}
	if len(there) > 0 { // a partial list of names is enough
		err = nil
	}
	return text.String(), err
}

// write creates a file. If the file exists, write does nothing.
func write(root *os.Root, name, text string) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
