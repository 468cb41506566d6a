package words

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Query says for whom is searched, and what of the conversation decides what counts.
type Query struct {
	Dir    string // the working directory; "" for none
	Home   string // of the user; "" for none
	Config string // the user's own directory for Marvin, ~/.config/marvin; "" for none
	Coding bool   // what they wrote at home for other programs counts as well

	Touched []string // absolute paths that calls were about
	Prompt  string   // what the person said last
	Arrived []string // names of files that the conversation was told of, and that stay
	Budget  int      // bytes for all instructions that are told from the beginning; 0 for [Budget]
}

// Budget is how much all instructions together may take, in bytes, and arrival is what each
// one may take that comes later.
const (
	Budget  = 32 << 10
	arrival = 8 << 10
	// descriptions of all skills together; with 300 of them that is 27 bytes each.
	descriptions = 8 << 10
)

// foreign directories hold what others wrote: their instructions are about their project.
var foreign = []string{".git", "node_modules", "vendor", ".venv", "site-packages"}

// Find reads everything. What cannot be read is in Problems and left out.
func Find(query Query) Inventory {
	var found search
	found.query = query
	found.ownFiles()
	if query.Dir != "" {
		found.project()
	}
	found.judge()
	return found.Inventory
}

// search is a Find under way.
type search struct {
	Inventory
	query  Query
	levels []string // directories below the root whose files count, outermost first
}

// RootOf is the root of the repository that a directory is in: the nearest one above it
// with a .git, or without one the directory itself. It is absolute and without links.
func RootOf(dir string) (root, below string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			below, _ = filepath.Rel(at, dir)
			return at, filepath.ToSlash(below)
		}
		if at == filepath.Dir(at) {
			return dir, "."
		}
	}
}

func (s *search) ownFiles() {
	if s.query.Home != "" && s.query.Coding {
		s.folders(tree{path: s.query.Home}, homeFolders, func(file *File) { s.mark(file, s.query.Home) })
	}
	if s.query.Config != "" {
		s.level(tree{path: s.query.Config}, own, ".", func(file *File) { s.mark(file, s.query.Config) })
		s.folders(tree{path: s.query.Config}, ownFolders, func(file *File) { s.mark(file, s.query.Config) })
	}
	if s.query.Home == "" || !s.query.Coding {
		return
	}
	first := ""
	for _, file := range s.Files {
		if file.Kind == Instructions {
			first = file.Name
		}
	}
	begin := len(s.Files)
	s.level(tree{path: s.query.Home}, elsewhere, ".", func(file *File) { s.mark(file, s.query.Home) })
	for i := begin; i < len(s.Files); i++ {
		if file := &s.Files[i]; first == "" {
			first = file.Name
		} else {
			file.State, file.Why = Shadowed, "by "+first+": one file of your own counts"
		}
	}
}

// mark makes a file one of the user's own.
func (s *search) mark(file *File, dir string) {
	file.Own, file.Path = true, filepath.Join(dir, filepath.FromSlash(file.Name))
	file.Name = filepath.ToSlash(file.Path)
	if below, found := strings.CutPrefix(file.Path, s.query.Home+string(filepath.Separator)); found && s.query.Home != "" {
		file.Name = "~/" + filepath.ToSlash(below)
	}
}

// project walks from the root of the repository down to the working directory, and then
// into the directories that calls touched.
func (s *search) project() {
	var below string
	s.Root, below = RootOf(s.query.Dir)
	root, err := os.OpenRoot(s.Root)
	if err != nil {
		s.Problems = append(s.Problems, fmt.Errorf("project instructions: %w", err))
		return
	}
	defer root.Close()
	s.levels = []string{"."}
	if below != "." {
		parts := strings.Split(below, "/")
		for i := max(0, len(parts)-mostLevels); i < len(parts); i++ {
			s.levels = append(s.levels, strings.Join(parts[:i+1], "/"))
		}
	}
	own := len(s.Files)
	for _, level := range s.levels {
		s.enter(root, level, false)
	}
	for _, level := range s.touched() {
		s.enter(root, level, true)
	}
	s.instead(s.Files[own:])
	s.imports(tree{root: root}, s.Files[own:])
}

// enter reads what one directory of the project has.
func (s *search) enter(root *os.Root, level string, nested bool) {
	here := root
	if level != "." {
		var err error
		if here, err = root.OpenRoot(level); err != nil {
			return // it is gone, or a link that leads out
		}
		defer here.Close()
	}
	s.level(tree{root: here}, Sources, level, func(file *File) {
		file.Name = path.Join(level, file.Name)
		file.Path, file.Nested = filepath.Join(s.Root, filepath.FromSlash(file.Name)), nested
	})
	if nested {
		return
	}
	s.folders(tree{root: here}, folders, func(file *File) {
		file.Name, file.Dir = path.Join(level, file.Name), level
		file.Path = filepath.Join(s.Root, filepath.FromSlash(file.Name))
	})
}

// folders reads what is asked for by a name, where there is a folder for it.
func (s *search) folders(from tree, sources []Source, place func(*File)) {
	there := map[string]bool{}
	for _, source := range sources {
		if s.holds(from, source, there) {
			s.folder(from, source, place)
		}
	}
}

// holds says whether the directory in front of a name is there, which is asked once.
func (s *search) holds(from tree, source Source, there map[string]bool) bool {
	first, _, below := strings.Cut(source.Name, "/")
	if !below {
		return true
	}
	if _, looked := there[first]; !looked {
		info, err := from.stat(first)
		there[first] = err == nil && info.IsDir() || leadsOut(err)
	}
	return there[first]
}

// level reads the files of one directory. Name is made whole by place.
func (s *search) level(from tree, sources []Source, dir string, place func(*File)) {
	there := map[string]bool{}
	for _, source := range sources {
		if !s.holds(from, source, there) {
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
			s.problem(path.Join(dir, source.Name), err)
		}
		for _, name := range names {
			text, cut, err := read(from, name, fileBytes)
			s.problem(path.Join(dir, name), err)
			if strings.TrimSpace(text) == "" {
				continue
			}
			file := File{Kind: source.Kind, Name: name, Dir: dir, From: source.From, Text: text, Cut: cut, State: Loaded, raw: text}
			if source.Kind != Instructions {
				var head string
				head, file.Text = split(text)
				file.Head = readHead(head)
			}
			place(&file)
			s.Files = append(s.Files, file)
		}
	}
}

func (s *search) problem(name string, err error) {
	if err != nil && !errors.Is(err, errNoText) {
		s.Problems = append(s.Problems, fmt.Errorf("%s: %w", filepath.Join(s.Root, filepath.FromSlash(name)), err))
	}
}

// touched are the directories of the project outside of the walk whose files count now.
func (s *search) touched() (dirs []string) {
	add := func(dir string) {
		for _, part := range strings.Split(dir, "/") {
			if slices.Contains(foreign, part) {
				return
			}
		}
		if dir != "." && !slices.Contains(s.levels, dir) && !slices.Contains(dirs, dir) && len(dirs) < mostLevels*4 {
			dirs = append(dirs, dir)
		}
	}
	for _, name := range s.touchedNames() {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			add(dir)
		}
	}
	for _, name := range s.query.Arrived {
		for _, source := range Sources {
			if dir, rest, found := strings.Cut("/"+name, "/"+source.Name); found && len(dir) > 1 && (rest == "" || source.Below) {
				add(dir[1:])
			}
		}
	}
	slices.Sort(dirs) // an outer one comes before those in it
	return dirs
}

// touchedNames are the touched paths below the root. What is a directory itself counts as
// one that something in it was touched.
func (s *search) touchedNames() (names []string) {
	for _, touched := range s.query.Touched {
		below, err := filepath.Rel(s.Root, touched)
		if err != nil || below == "." || !filepath.IsLocal(below) {
			continue
		}
		name := filepath.ToSlash(below)
		if info, err := os.Stat(touched); err == nil && info.IsDir() {
			name += "/."
		}
		names = append(names, name)
	}
	return names
}
