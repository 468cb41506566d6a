// Package projectdir keeps what Marvin makes in a project out of the project's commits.
//
// Marvin's products (notes, logs, jobs) and what a team writes for Marvin (agents, commands,
// skills, settings) share the directory .marvin. Its .gitignore hides everything but the
// second kind, so that a new product is hidden, too. A .gitignore of the project's own is
// left as it is; then each product has one inside.
package projectdir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Name is the directory.
const Name = ".marvin"

// products are what Marvin makes in it. Nobody shares them unasked.
var products = []string{"artifacts", "index", "jobs", "logs", "notes", "products"}

// Product says whether a path with slashes leads to something that Marvin made.
func Product(name string) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		if part == Name && slices.Contains(products, parts[i+1]) {
			return true
		}
	}
	return false
}

// shared are what a team may commit.
var shared = []string{
	"AGENTS.md", "APPEND_SYSTEM.md", "RULES.md", "SYSTEM.md", "agents", "commands", "config*", "design.md", "hooks*", "instructions.md", "mcp*", "rules", "settings*", "skills", "spec.md", "tools", "ux.md",
}

const head = "# Written by Marvin: its notes, logs and jobs are not committed. Files that a team shares are.\n*\n"

// Hide hides a product in the project at root. Its directory is there.
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

// lines are the text of the .gitignore. What is there already, and is no product, stays visible.
func lines(root *os.Root) (string, error) {
	dir, err := root.Open(Name)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	there, err := dir.Readdirnames(1000)
	names := slices.Clone(shared)
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
	if len(there) > 0 { // the end of a directory is no error
		err = nil
	}
	return text.String(), err
}

// write makes a file, unless it is there.
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
