package words

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Query describes the conversation that needs the files.
type Query struct {
	Dir    string // the working directory; "" for none
	Home   string // the user's home directory; "" for none
	Config string // the user's own directory for Marvin, ~/.config/marvin; "" for none
	Coding bool   // whether other programs' files in the home directory are used

	Touched []string // absolute paths of the files and directories that tool calls used
	Prompt  string   // the user's last prompt
	Arrived []string // names of files already in the conversation
	Window  int      // tokens in the model's context window; 0 if unknown
}

// Limits in bytes.
const (
	Budget  = 32 << 10 // total limit for all instructions
	arrival = 8 << 10  // limit for each file that is added during the conversation
	// SystemBytes limits SYSTEM.md, APPEND_SYSTEM.md, and their replacements on the command line.
	SystemBytes = 16 << 10
	// descriptions is the maximum total size of all skill descriptions. With 300 skills, each
	// description gets 27 bytes.
	descriptions = 8 << 10
)

// Instructions in directories with these names are about other projects.
var foreign = []string{".git", "node_modules", "vendor", ".venv", "site-packages"}

// search is the state of one call of [Library.Find].
type search struct {
	Inventory
	query   Query
	library *Library
	levels  []string // the root, then at most mostLevels directories; the last is query.Dir
	top     *place   // the root of the repository
	places  []*place // project directories that must be closed
}

// RootOf returns the root of the repository that contains dir, and the path of dir relative to that
// root. If no directory at or above dir contains .git, the root is dir. RootOf first resolves the
// symbolic links in the path of dir.
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
	home, config := tree{path: s.query.Home}, tree{path: s.query.Config}
	if s.query.Home != "" && s.query.Coding {
		s.take(func(u *unit) {
			u.folders(home, homeFolders, func(file *File) { s.markOwn(file, home.path) })
		})
	}
	if config.path != "" {
		if err := (tree{path: filepath.Dir(config.path)}).broken(filepath.Base(config.path)); err != nil {
			if _, missing := os.Stat(config.path); missing != nil {
				s.Problems = append(s.Problems, fmt.Errorf("%s: %w", config.path, err))
			}
		}
		s.take(func(u *unit) {
			u.readLevel(config, own, ".", func(file *File) { s.markOwn(file, config.path) })
		})
		s.take(func(u *unit) {
			u.folders(config, ownFolders, func(file *File) { s.markOwn(file, config.path) })
		})
	}
	if s.query.Home != "" && s.query.Coding {
		s.readForeign(home)
	}
	for i := range s.Files {
		if file := &s.Files[i]; file.Kind == Instructions && file.State == Loaded {
			dir := filepath.Dir(file.Path)
			s.expand(file, func() (tree, error) { return tree{path: dir}, nil }, dir, filepath.Base(file.Path), func(string) bool { return false })
		}
	}
	s.Files = append(s.Files, s.library.Given...)
}

// FromFlag returns a loaded File with the given text, which comes from the command line or an
// editor.
func FromFlag(kind Kind, flag, path, text string) File {
	return File{Kind: kind, Name: flag, Path: path, Own: true, From: "Marvin", Text: text, State: Loaded, raw: text}
}

// readForeign reads instructions that the user wrote for other programs. Only the first file is
// used, and only if the user has no instructions for Marvin.
func (s *search) readForeign(home tree) {
	first := ""
	for _, file := range s.Files {
		if file.Kind == Instructions && file.State == Loaded {
			first = file.Name
		}
	}
	begin := len(s.Files)
	s.take(func(u *unit) {
		u.readLevel(home, elsewhere, ".", func(file *File) { s.markOwn(file, home.path) })
	})
	for i := begin; i < len(s.Files); i++ {
		if file := &s.Files[i]; file.State != Loaded {
			continue
		} else if first == "" {
			first = file.Name
		} else {
			file.State, file.Why = Shadowed, "by "+first+", because only one of your own instruction files applies"
		}
	}
}

// markOwn sets the Own, Path and Name fields of a file below dir.
func (s *search) markOwn(file *File, dir string) {
	file.Own, file.Path = true, filepath.Join(dir, filepath.FromSlash(file.Name))
	file.Name = filepath.ToSlash(file.Path)
	if below, found := strings.CutPrefix(file.Path, s.query.Home+string(filepath.Separator)); found && s.query.Home != "" {
		file.Name = "~/" + filepath.ToSlash(below)
	}
}

// project collects the project's files for agents. It searches the directories from the
// repository's root down to the working directory, and then the directories that calls touched.
func (s *search) project() {
	s.Root, s.Below = RootOf(s.query.Dir)
	below := s.Below
	s.top = s.place(nil, ".")
	defer func() {
		for _, at := range s.places {
			at.tree.close()
		}
	}()
	if info, err := os.Stat(s.Root); err != nil || !info.IsDir() {
		_, err = s.top.open() // a clearer error than that of os.Stat
		s.Problems = append(s.Problems, fmt.Errorf("project instructions: %w", err))
		return
	}
	s.levels = []string{"."}
	if below != "." {
		parts := strings.Split(below, "/")
		for i := max(0, len(parts)-mostLevels); i < len(parts); i++ {
			s.levels = append(s.levels, strings.Join(parts[:i+1], "/"))
		}
	}
	own := len(s.Files)
	s.walk()
	for _, level := range s.touched() {
		at := s.place(nil, level)
		s.enter(at, s.level(at, true))
	}
	s.markReplaced(s.Files[own:])
	s.expandImports(s.Files[own:])
}

// walk enters and reads each directory in s.levels, starting at the root.
func (s *search) walk() {
	at := s.top
	for i, level := range s.levels {
		if i > 0 {
			at = s.place(at, level)
		}
		s.enter(at, s.level(at, false))
		s.take(func(u *unit) {
			u.readIn(at, func(here tree) {
				u.folders(here, folders, func(file *File) { s.setPath(file, at.level); file.Dir = at.level })
			})
		})
	}
}

// level returns the files in one directory that match an entry of sources.
func (s *search) level(at *place, nested bool) *unit {
	return filled(func(u *unit) {
		u.readIn(at, func(here tree) {
			u.readLevel(here, sources, at.level, func(file *File) { file.Nested = nested; s.setPath(file, at.level) })
		})
	})
}

func (s *search) setPath(file *File, level string) {
	if level != "." {
		file.Name = level + "/" + file.Name
	}
	file.Path = joined(s.Root, file.Name)
}

// enter adds a project directory's files to the result.
func (s *search) enter(at *place, u *unit) {
	begin := len(s.Files)
	s.add(u)
	// The search of the parent directory has found files such as .marvin/AGENTS.md.
	if strings.HasPrefix(path.Base(at.level), ".") {
		above := s.Files[:begin]
		s.Files = append(above, slices.DeleteFunc(s.Files[begin:], func(file File) bool {
			return slices.ContainsFunc(above, func(other File) bool { return other.Path == file.Path })
		})...)
	}
}

// touched collects the directories that contain a touched file, directly or in a subdirectory. It
// also collects the directory to which each file in query.Arrived applies. It omits the directories
// in s.levels, and all paths that contain a directory such as node_modules. It collects at most
// 4*mostLevels directories.
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
		for _, source := range sources {
			if dir, rest, found := strings.Cut("/"+name, "/"+source.Name); found && len(dir) > 1 && (rest == "" || source.Below) {
				add(dir[1:])
			}
		}
	}
	slices.Sort(dirs) // parents come before their children
	return dirs
}

// touchedNames returns the touched paths relative to the root. A touched directory has the same
// effect as a touched file inside it.
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
