package words

import (
	"fmt"
	"slices"
	"strings"
)

// This file decides which files are used.

// markReplaced marks instruction files as shadowed by other files in the same directory.
func (s *search) markReplaced(files []File) {
	for i := range files {
		file := &files[i]
		if file.Kind != Instructions || file.State != Loaded {
			continue
		}
		source := sourceOf(file)
		for j := range files {
			other := &files[j]
			if other.Kind != Instructions || other.Dir != file.Dir || i == j || other.State != Loaded {
				continue
			}
			by := sourceOf(other)
			switch {
			case by.Hides == source.Name && by.Hides != "":
				file.State, file.Why = Shadowed, "by "+other.Name+", which replaces it"
			case source.Substitute && (!by.Substitute || j > i):
				file.State, file.Why = Shadowed, "by "+other.Name+", because this file is for "+source.From+" and applies only if there is no other file"
			}
		}
	}
}

func sourceOf(file *File) Source {
	name := file.Name
	if file.Dir != "." {
		name = strings.TrimPrefix(name, file.Dir+"/")
	}
	for _, source := range sources {
		if source.Name == name {
			return source
		}
	}
	return Source{}
}

// expandImports expands the imports in the project's instructions.
func (s *search) expandImports(files []File) {
	var standing []string
	for _, file := range files {
		if file.Kind == Instructions && file.State == Loaded {
			standing = append(standing, file.Name)
		}
	}
	counts := func(name string) bool { return slices.Contains(standing, name) }
	for i := range files {
		if file := &files[i]; file.State == Loaded && file.Kind == Instructions {
			s.expand(file, s.top.open, s.Root, file.Name, counts)
		}
	}
}

func (s *search) judge() {
	var touched []string
	if s.Root != "" {
		touched = s.touchedNames()
	}
	for i := range s.Files {
		file := &s.Files[i]
		if file.Kind == Rule && file.State == Loaded {
			file.applies(touched, s.query.Prompt, slices.Contains(s.query.Arrived, file.Name))
		}
	}
	for _, kind := range []Kind{Sticky, System, Addition} {
		s.nearest(kind)
	}
	s.clashes()
	s.dropDuplicates()
	s.shorten()
}

// nearest determines which files of a kind apply: the user's own files and the nearest project
// file. If kind is System, only one file applies: the text from the command line, else the user's
// file, else the nearest project file.
func (s *search) nearest(kind Kind) {
	var own, last *File
	for i := range s.Files {
		file := &s.Files[i]
		switch {
		case file.Kind != kind || file.State != Loaded:
		case file.Own:
			if kind == System && own != nil {
				own.State, own.Why = Shadowed, "by "+file.Name+", which applies to this run"
			}
			own = file
		case file.Nested:
			file.State, file.Why = LeftOut, "only files in the working directory and above it apply"
		default:
			if last != nil {
				last.State, last.Why = Shadowed, "by "+file.Name+", which is nearer"
			}
			last = file
		}
	}
	if kind == System && own != nil && last != nil {
		last.State, last.Why = Shadowed, "by "+own.Name+", because your file takes precedence over the project's"
	}
}

// dropDuplicates marks each file as shadowed if a later file has the same text.
func (s *search) dropDuplicates() {
	last := map[string]string{}
	for i := len(s.Files) - 1; i >= 0; i-- {
		file := &s.Files[i]
		if file.State != Loaded || file.Kind != Instructions && file.Kind != Rule {
			continue
		}
		text := strings.TrimSpace(file.Text)
		if other, said := last[text]; said {
			file.State, file.Why = Shadowed, "by "+other+", which says the same"
			continue
		}
		last[text] = file.Name
	}
}

func (s *search) shorten() {
	room := roomIn(s.query.Window)
	var first, skills, agents []*File
	for i := range s.Files {
		file := &s.Files[i]
		if file.Cut > 0 && file.Used() {
			file.Why = fmt.Sprintf("only its first %d kB are read", fileBytes>>10)
		}
		switch {
		case !file.Used() || file.Kind == Command || file.Head.Hidden:
		case file.Kind == Skill:
			skills = append(skills, file)
		case file.Kind == Agent:
			agents = append(agents, file)
		case file.Kind == System, file.Kind == Addition:
			shorten([]*File{file}, room.system)
		case file.addedLater(), file.Kind == Sticky:
			shorten([]*File{file}, room.later)
		default:
			first = append(first, file)
		}
	}
	shorten(s.dropWeakest(first, room.first), room.first)
	shortenDescriptions(skills, room.names)
	shortenDescriptions(agents, room.names/4)
	s.explainShortened()
}

// addedLater reports whether a file is added during the conversation, not at the start.
func (f *File) addedLater() bool {
	waits := f.Head.Always == nil || !*f.Head.Always
	return f.Nested || f.Kind == Rule && waits && (len(f.Head.Words) > 0 || len(f.Head.Globs) > 0 && !(f.From == "Copilot" && slices.ContainsFunc(f.Head.Globs, everything)))
}
