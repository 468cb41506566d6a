package proc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
)

// A program that Marvin runs for itself, and nobody holds, must not be one that the
// project brings: an executable called git in a directory of PATH below the working
// directory would have all the rights of the user. So whoever knows the working
// directory puts it into the environment that [Run] is given, and nothing that lies in
// it, or is reached through it, is run outside the sandbox. The whole PATH is for commands in a jail,
// and for lines that a person wrote or agreed to.

// distrustName is the variable with one tree that the project, or a command that is held,
// can write. There may be any number of it. No child ever gets it.
const distrustName = "MARVIN_DISTRUST"

// Distrust adds trees to an environment: nothing in them is run that no jail holds. What
// is not absolute is passed over, and so is the whole system: it is nobody's project, and
// in a container it is where people start.
func Distrust(environ []string, trees ...string) []string {
	environ = slices.Clip(environ)
	for _, tree := range trees {
		if entry := distrustName + "=" + tree; filepath.IsAbs(tree) && !top(tree) && !slices.Contains(environ, entry) {
			environ = append(environ, entry)
		}
	}
	return environ
}

// top says whether a directory is the one that holds all others.
func top(dir string) bool {
	dir = filepath.Clean(dir)
	return dir == filepath.Dir(dir)
}

// distrusted are the trees of an environment, without links as well.
func distrusted(environ []string) (trees []string) {
	for _, entry := range environ {
		tree, ok := strings.CutPrefix(entry, distrustName+"=")
		if !ok {
			continue
		}
		tree = filepath.Clean(tree)
		trees = append(trees, tree)
		if resolved, err := filepath.EvalSymlinks(tree); err == nil && resolved != tree {
			trees = append(trees, resolved)
		}
	}
	return trees
}

// mostLinks is how many symbolic links a path may lead through; Linux takes 40.
const mostLinks = 40

// through follows a path as the system does, and says which of the trees it leads
// through, "" for none. A link in a tree that leads out of it counts: whoever can write
// the tree decides where it leads.
func through(path string, trees []string) string {
	if len(trees) == 0 {
		return ""
	}
	path = filepath.Clean(path)
	for range mostLinks {
		for _, tree := range trees {
			if within(path, tree) {
				return tree
			}
		}
		next, isLink := followFirst(path)
		if !isLink {
			return ""
		}
		path = next
	}
	return path // in circles: it can be no program
}

// followFirst replaces the first link in a path by what it says.
func followFirst(path string) (next string, isLink bool) {
	for end := 1; end <= len(path); end++ {
		if end < len(path) && !os.IsPathSeparator(path[end]) {
			continue
		}
		target, err := os.Readlink(path[:end])
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			continue
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path[:end]), target)
		}
		return filepath.Join(target, path[end:]), true
	}
	return path, false
}

// within says whether path is tree or below it. Both are clean.
func within(path, tree string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path, tree = strings.ToLower(path), strings.ToLower(tree)
	}
	return path == tree || strings.HasPrefix(path, strings.TrimSuffix(tree, string(filepath.Separator))+string(filepath.Separator))
}

// Untrusted is the error for a program found only where the project can write. It is an
// [ErrNotFound] for callers that can do without it.
type Untrusted struct {
	Name string // as it was asked for
	Path string // where it is
	Tree string // what the project can write
}

func (u *Untrusted) Error() string {
	where := filepath.Dir(u.Path)
	if within(where, u.Tree) {
		return fmt.Sprintf("%s is found only in %s, where this project can write; Marvin runs no program from there. Install %[1]s for the system or the user, and start Marvin with its directory on PATH", filepath.Base(u.Name), where)
	}
	return fmt.Sprintf("%s is found only as %s, through %s, where this project can write; Marvin runs no program from there. Install %[1]s for the system or the user, and start Marvin with its directory on PATH", filepath.Base(u.Name), u.Path, u.Tree)
}

// Is makes it an ErrNotFound.
func (u *Untrusted) Is(target error) bool { return target == ErrNotFound }

// suspicious says through which of the trees a program leads, itself or by the
// interpreter that a script names in its first line.
func suspicious(path string, trees []string) string {
	if len(trees) == 0 {
		return ""
	}
	if tree := through(path, trees); tree != "" {
		return tree
	}
	if interpreter := interpreterOf(path); interpreter != "" {
		return through(interpreter, trees)
	}
	return ""
}

// interpreterOf is the program in the first line of a script, "" if none.
func interpreterOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	start := make([]byte, 256) // as much as Linux reads
	n, err := io.ReadFull(file, start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	rest, isScript := strings.CutPrefix(line, "#!")
	if words := strings.Fields(rest); isScript && len(words) > 0 && (err == nil || n > 0) && filepath.IsAbs(words[0]) {
		return words[0]
	}
	return ""
}

// TrustedPath is the PATH without relative entries and without those the project can write; left
// lists the latter.
func TrustedPath(environ []string) (path string, left []string) {
	trees := distrusted(environ)
	var kept []string
	for _, dir := range filepath.SplitList(pathOf(environ)) {
		switch {
		case !filepath.IsAbs(dir):
		case through(dir, trees) != "":
			left = append(left, dir)
		default:
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator)), left
}

// Trusted is an environment for a program of Marvin's own that another package starts:
// with keys, and without what leads to where the project can write.
func Trusted(environ []string) []string {
	trees := distrusted(environ)
	path, _ := TrustedPath(environ)
	kept := []string{"PATH=" + path}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if ok && name != distrustName && !envvar.SameName(name, "PATH") && !misguides(name, value, trees) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// Plain is an environment without what [Distrust] put there, for a shell of the person's.
func Plain(environ []string) (plain []string) {
	for _, entry := range environ {
		if !strings.HasPrefix(entry, distrustName+"=") {
			plain = append(plain, entry)
		}
	}
	return plain
}

// misguides says whether a variable would have a program of Marvin's own run or obey what
// the project can write: a library, a module, a configuration, a helper program.
func misguides(name, value string, trees []string) bool {
	if slices.Contains([]string{"HOME", "USERPROFILE", "PWD"}, name) || envvar.SameName(name, "PATH") {
		return false
	}
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(":;=, \t\n\"'", r) }) {
		if strings.HasPrefix(part, "./") || strings.HasPrefix(part, "../") || filepath.IsAbs(part) && through(part, trees) != "" {
			return true
		}
	}
	loads := slices.ContainsFunc(loaders[:], func(start string) bool { return strings.HasPrefix(name, start) })
	if !loads || value == "" {
		return false
	}
	// An empty entry of such a list, or a relative one, means the directory it runs in.
	return slices.ContainsFunc(filepath.SplitList(value), func(entry string) bool { return !filepath.IsAbs(entry) })
}

// loaders are beginnings of variables with lists of directories and files that a program
// loads code from.
var loaders = [...]string{"LD_", "DYLD_", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERLLIB", "RUBYLIB", "NODE_PATH", "LUA_PATH", "LUA_CPATH", "CLASSPATH", "BASH_ENV"}
