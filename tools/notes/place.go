package notes

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"marvin/tools"
	"marvin/tools/internal/box"
)

const projectNotes = ".marvin/notes"

// place is an open directory of notes and what people and models call it.
type place struct {
	*box.Dir
	name string // "~/Notes" or ".marvin/notes"
}

// open opens the directory of the mode. Without create a missing one is
// fs.ErrNotExist.
func open(env tools.Env, create bool) (place, error) {
	if !env.Coding {
		return openHome(env, create)
	}
	if env.Dir == "" {
		return place{}, tools.Advise(errors.New("in coding mode notes are kept in the project, and no working directory is set"),
			"Call set_working_dir with an absolute path first.")
	}
	project, err := env.Open()
	if err != nil {
		return place{}, err
	}
	defer func() { _ = project.Close() }()
	dir, err := project.Sub("Notes directory", projectNotes, create)
	return place{dir, projectNotes}, err
}

func openHome(env tools.Env, create bool) (place, error) {
	if env.Home == "" {
		return place{}, tools.Advise(errors.New("there is no home directory, so there is no ~/Notes"), "Start Marvin with HOME set.")
	}
	path := filepath.Join(env.Home, "Notes")
	if create {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return place{}, fmt.Errorf("make the notes directory: %w", err)
		}
	}
	dir, err := box.OpenAs("Notes directory", path)
	return place{dir, "~/Notes"}, err
}

// show is how a note is called in results; it can be given back as it is.
func (p place) show(name string) string { return p.name + "/" + name }

// clean takes off what the names in results begin with.
func clean(name string) string {
	name = strings.TrimSpace(name)
	for _, prefix := range []string{"./", "~/Notes/", "Notes/", projectNotes + "/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	switch name {
	case "~/Notes", "Notes", projectNotes:
		return "."
	}
	return name
}

// extension is an ending like .md or .txt; "v1.2 plan" has none.
var extension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.[A-Za-z][A-Za-z0-9]{0,7}$`) })

// note is the name of a note's file: notes are Markdown unless their name says
// otherwise or a file of exactly that name is there.
func (p place) note(name string) string {
	name = clean(name)
	if name == "" || strings.HasSuffix(name, "/") || extension().MatchString(path.Ext(name)) {
		return name
	}
	if _, err := p.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return name
	}
	return name + ".md"
}
