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

	"marvin/messages/lists"
	"marvin/tools/internal/envvar"
)

// A program that Marvin runs unconfined must not come from the project. Otherwise, the project
// could contain an executable named "git" that gets all of the user's rights. So callers pass the
// working directory to [Distrust], and [Find] rejects a program if its path leads through that
// directory, even by a symbolic link. Jailed commands use the whole PATH, and so do shell commands
// that the user wrote or approved.

// distrustName is the name of a variable that contains an untrusted tree. The project or a confined
// command can change such a tree. An environment can contain several of these variables, but
// children get none of them.
const distrustName = "MARVIN_DISTRUST"

// Distrust returns an environment that also lists the given trees as untrusted. [Find] rejects
// programs in these trees. Distrust ignores relative paths and the root directory. In a container,
// the root is often the working directory, but it is not a project.
func Distrust(environ []string, trees ...string) []string {
	environ = slices.Clip(environ)
	for _, tree := range trees {
		if entry := distrustName + "=" + tree; filepath.IsAbs(tree) && !top(tree) && !slices.Contains(environ, entry) {
			environ = append(environ, entry)
		}
	}
	return environ
}

// top recognizes file system roots.
func top(dir string) bool {
	dir = filepath.Clean(dir)
	return dir == filepath.Dir(dir)
}

// distrusted extracts the trees that [Distrust] added to environ. For a tree with symbolic links,
// it also returns the resolved path.
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

// mostLinks is the maximum number of symbolic links in a path. Linux has the same limit.
const mostLinks = 40

// treeThrough follows a path as the system does. It returns the first of the trees through which
// the path leads, or "". A link in a tree counts even if its target is outside the tree, because a
// program that can write to the tree can change the link.
func treeThrough(path string, trees []string) string {
	if len(trees) == 0 {
		return ""
	}
	path = filepath.Clean(path)
	for range mostLinks {
		for _, tree := range trees {
			if isWithin(path, tree) {
				return tree
			}
		}
		next, isLink := followFirst(path)
		if !isLink {
			return ""
		}
		path = next
	}
	return path // more links than Linux follows: treat the path as untrusted
}

// followFirst follows the first symbolic link in a path.
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

// isWithin reports whether a path is the root of a tree or lies below that root. Both arguments
// must be clean paths.
func isWithin(path, tree string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path, tree = strings.ToLower(path), strings.ToLower(tree)
	}
	return path == tree || strings.HasPrefix(path, strings.TrimSuffix(tree, string(filepath.Separator))+string(filepath.Separator))
}

// Untrusted is the error for a program that was found only where the project can write files. It
// matches [ErrNotFound], so callers can continue without the program.
type Untrusted struct {
	Name string // the requested name
	Path string // the path at which the program was found
	Tree string // the untrusted tree through which Path leads
}

func (u *Untrusted) Error() string {
	where := filepath.Dir(u.Path)
	if isWithin(where, u.Tree) {
		return fmt.Sprintf("%s is found only in %s, where this project can write; Marvin does not run programs from there. Install %[1]s in a directory where the project cannot write, add that directory to PATH, and start Marvin again", filepath.Base(u.Name), where)
	}
	return fmt.Sprintf("the only %s found is %s, and its path leads through %s, where this project can write; Marvin does not run programs from there. Install %[1]s in a directory where the project cannot write, add that directory to PATH, and start Marvin again", filepath.Base(u.Name), u.Path, u.Tree)
}

// Is reports whether target is ErrNotFound.
func (u *Untrusted) Is(target error) bool { return target == ErrNotFound }

// suspicious determines the tree that makes a program untrusted, or "" if there is none. It checks
// the path of the program and, for a script, the path of the interpreter.
func suspicious(path string, trees []string) string {
	if len(trees) == 0 {
		return ""
	}
	if tree := treeThrough(path, trees); tree != "" {
		return tree
	}
	if interpreter := interpreterOf(path); interpreter != "" {
		return treeThrough(interpreter, trees)
	}
	return ""
}

// interpreterOf returns the interpreter in the first line of a script, or "".
func interpreterOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	start := make([]byte, 256) // as many bytes as Linux reads
	n, err := io.ReadFull(file, start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	rest, isScript := strings.CutPrefix(line, "#!")
	if words := strings.Fields(rest); isScript && len(words) > 0 && (err == nil || n > 0) && filepath.IsAbs(words[0]) {
		return words[0]
	}
	return ""
}

// TrustedPath removes relative directories and untrusted directories from PATH. The second result
// lists the untrusted directories.
func TrustedPath(environ []string) (path string, omitted []string) {
	trees := distrusted(environ)
	var kept []string
	for _, dir := range filepath.SplitList(pathOf(environ)) {
		switch {
		case !filepath.IsAbs(dir):
		case treeThrough(dir, trees) != "":
			omitted = append(omitted, dir)
		default:
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator)), omitted
}

// Trusted returns an environment for programs that Marvin runs for its own use. It removes
// variables, and entries of PATH, if they point to places where the project can write. It keeps
// HOME, USERPROFILE and PWD in any case. It also keeps API keys.
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

// PlainEnviron removes the entries that [Distrust] added to an environment. The result is for a
// shell that the user runs.
func PlainEnviron(environ []string) []string {
	return lists.Filter(environ, func(entry string) bool { return !strings.HasPrefix(entry, distrustName+"=") })
}

// misguides returns true if a variable could make a program use a file that the project can write,
// such as a library or a configuration file. Programs that Marvin runs for its own use do not get
// such variables.
func misguides(name, value string, trees []string) bool {
	if slices.Contains([]string{"HOME", "USERPROFILE", "PWD"}, name) || envvar.SameName(name, "PATH") {
		return false
	}
	for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(":;=, \t\n\"'", r) }) {
		if strings.HasPrefix(part, "./") || strings.HasPrefix(part, "../") || filepath.IsAbs(part) && treeThrough(part, trees) != "" {
			return true
		}
	}
	loads := slices.ContainsFunc(loaders[:], func(start string) bool { return strings.HasPrefix(name, start) })
	if !loads || value == "" {
		return false
	}
	// Programs resolve an empty or relative entry against their working directory.
	return slices.ContainsFunc(filepath.SplitList(value), func(entry string) bool { return !filepath.IsAbs(entry) })
}

// loaders contains name prefixes of environment variables. Programs load code from paths in the
// variables that have these prefixes.
var loaders = [...]string{"LD_", "DYLD_", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERLLIB", "RUBYLIB", "NODE_PATH", "LUA_PATH", "LUA_CPATH", "CLASSPATH", "BASH_ENV"}
