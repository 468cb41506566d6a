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

	"marvin/persistence/projectdir"
	"marvin/tools"
	"marvin/tools/internal/box"
)

const projectNotes = ".marvin/notes"

// place is a notes directory that has been opened.
type place struct {
	*box.Dir
	name string // homeNotes or projectNotes
}

// homeNotes is the display name of the user's notes directory.
const homeNotes = "~/Notes"

// open opens the project's notes if the caller asks for them, or if the note's name begins with
// .marvin/notes. Otherwise it opens the user's notes. If create is false and the directory is
// missing, the error wraps [fs.ErrNotExist].
func open(env tools.Env, name string, project, create bool) (place, error) {
	if project || ofProject(name) {
		return openProject(env, create)
	}
	return openHome(env, create)
}

func ofProject(name string) bool {
	name = strings.TrimPrefix(strings.TrimSpace(name), "./")
	return name == projectNotes || strings.HasPrefix(name, projectNotes+"/")
}

func ofHome(name string) bool {
	name = strings.TrimSpace(name)
	return name == homeNotes || strings.HasPrefix(name, homeNotes+"/")
}

func openProject(env tools.Env, create bool) (place, error) {
	if env.Dir == "" {
		return place{}, tools.Advise(errors.New("project notes are stored in the project's directory, and no working directory is set"),
			"Call set_working_dir with an absolute path first, or omit \"project\" to use the user's own notes in ~/Notes.")
	}
	project, err := env.Open()
	if err != nil {
		return place{}, err
	}
	defer func() { _ = project.Close() }()
	dir, err := project.Sub("Notes directory", projectNotes, create)
	if err == nil && create {
		err = hide(project.Path())
	}
	return place{dir, projectNotes}, err
}

// hide excludes a project's notes from commits.
func hide(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := projectdir.Hide(root, path.Base(projectNotes)); err != nil {
		return fmt.Errorf("exclude the notes from commits: %w", err)
	}
	return nil
}

// openAll opens the notes directories that may contain the named note, the user's directory first.
// It skips a missing directory. The caller must close the result.
func openAll(env tools.Env, name string, project bool) (all []place, err error) {
	var failed error
	if !project && !ofProject(name) {
		dir, err := openHome(env, false)
		if err == nil {
			all = append(all, dir)
		} else if !errors.Is(err, fs.ErrNotExist) {
			failed = err
		}
	}
	if project || !ofHome(name) && env.Dir != "" {
		dir, err := openProject(env, false)
		if err == nil {
			all = append(all, dir)
		} else if project || ofProject(name) {
			failed = errors.Join(failed, err)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if failed == nil || errors.Is(failed, fs.ErrNotExist) {
		return nil, tools.Advise(fmt.Errorf("there are no notes yet: %s: %w", homeNotes, fs.ErrNotExist), "write_note makes the first one.")
	}
	return nil, failed
}

// existing returns the opened notes directory that contains the named note. If both directories
// contain the note, or neither does, the first directory from openAll is returned.
func existing(env tools.Env, name string, project bool) (dir place, inBoth bool, err error) {
	all, err := openAll(env, name, project)
	if err != nil {
		return place{}, false, err
	}
	dir = all[0]
	if len(all) == 1 {
		return dir, false, nil
	}
	inHome, inProject := dir.has(name), all[1].has(name)
	if !inHome && inProject {
		_ = dir.Close()
		return all[1], false, nil
	}
	_ = all[1].Close()
	return dir, inProject, nil
}

func (p place) has(name string) bool {
	_, err := p.Stat(strings.TrimSuffix(p.note(name), "/"))
	return err == nil
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
	return place{dir, homeNotes}, err
}

// show prepends the name of the notes directory, as in "~/Notes/ideas.md". The tools accept such
// names.
func (p place) show(name string) string { return p.name + "/" + name }

// inverse returns the name to use in an undo call. Only project notes get a directory prefix.
func (p place) inverse(name string) string {
	if p.name == projectNotes {
		return p.show(name)
	}
	return name
}

// clean strips prefixes such as "~/Notes/" from a note's name. The result is "." for the notes
// directory itself.
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

// extension returns a pattern for extensions such as .md or .txt; "v1.2 plan" has none.
var extension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.[A-Za-z][A-Za-z0-9]{0,7}$`) })

// note returns the file name of a note. It adds ".md" to a name without an extension, unless a file
// with that name exists.
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
