package words

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// folders adds the skills, commands and agents in the given sources to the unit.
func (u *unit) folders(from tree, sources []Source, place func(*File)) {
	there := map[string]bool{}
	for _, source := range sources {
		if u.holds(from, source, there) {
			u.folder(from, source, place)
		}
	}
}

// holds is true if the first directory in source.Name exists, or if source.Name contains no slash.
// It caches whether the directory exists.
func (u *unit) holds(from tree, source Source, there map[string]bool) bool {
	first, _, below := strings.Cut(source.Name, "/")
	if !below {
		return true
	}
	if _, looked := there[first]; !looked {
		info, err := from.stat(first)
		there[first] = err == nil && info.IsDir() || leadsOut(err)
		if errors.Is(err, fs.ErrNotExist) && from.broken(first) != nil {
			u.problem(from.pathOf(first), errBroken)
		}
	}
	return there[first]
}

// readLevel reads the files of one directory. It passes each file to a callback, which completes
// the name of the file.
func (u *unit) readLevel(from tree, sources []Source, dir string, place func(*File)) {
	there := map[string]bool{}
	for _, source := range sources {
		if !u.holds(from, source, there) {
			continue
		}
		names := []string{source.Name}
		if source.Below {
			deep := 0
			if source.Deep {
				deep = deepestRules
			}
			var err error
			names, err = namesBelow(from, source.Name, source.Ends, deep)
			u.problem(from.pathOf(source.Name), err)
		}
		for _, name := range names {
			text, cut, err := read(from, name, fileBytes)
			if err != nil {
				u.problem(from.pathOf(name), err)
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			file := File{Kind: source.Kind, Name: name, Dir: dir, From: source.From, Text: text, Cut: cut, State: Loaded, raw: text}
			if source.Kind == Rule || source.Kind == Sticky {
				var head string
				head, file.Text = split(text)
				file.Head = readHead(head)
			}
			place(&file)
			u.add(file)
		}
	}
}

func (u *unit) folder(from tree, source Source, place func(*File)) {
	at := from.pathOf(source.Name)
	if _, err := os.Stat(at); err != nil {
		return
	}
	from, err := from.openSubtree(source.Name) // files are opened relative to the folder
	if err != nil {
		if leadsOut(err) {
			u.problem(at, err)
		}
		return
	}
	defer from.close()
	var names []string
	switch {
	case source.Kind == Skill:
		names, err = skillsBelow(from)
	case source.Deep:
		names, err = namesBelow(from, ".", []string{".md"}, deepestRules)
	default:
		names, err = namesBelow(from, ".", []string{".md"}, 0)
	}
	u.problem(at, err)
	for _, name := range names {
		u.readFile(from, source, name, place)
	}
}

func (u *unit) readFile(from tree, source Source, below string, place func(*File)) {
	text, cut, err := read(from, below, fileBytes)
	if err != nil {
		u.problem(from.pathOf(below), err)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	file := File{Kind: source.Kind, Name: source.Name + "/" + below, Dir: ".", From: source.From, Cut: cut, State: Loaded, raw: text}
	var head string
	head, file.Text = split(text)
	file.Head = readHead(head)
	file.fillHead(below)
	place(&file)
	u.add(file)
}

func (u *unit) problem(at string, err error) {
	if err != nil && !errors.Is(err, errNoText) {
		u.problems = append(u.problems, fmt.Errorf("%s: %w", at, err))
	}
}
