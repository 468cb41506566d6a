// Package gitdir finds the repository to which a directory belongs, by git's rules but without
// running git. [Pins] detects when git would use a different repository than before.
//
// A confined command cannot change the programs in a repository's configuration. But it can damage
// .git/HEAD, and create HEAD, objects, refs and config in the top directory. The next git command
// of Marvin or of the user would then ignore .git, use the top directory as a bare repository, and
// run the programs in its configuration.
package gitdir

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Found is the repository that git uses in a directory. The zero value means none.
type Found struct {
	Dir    string // the git directory, with symbolic links resolved
	Common string // the directory shared by all working trees; usually the same as Dir
	Entry  string // path of the .git directory or file; "" for a bare repository
	Bare   bool
}

// Discover returns the repository that git would use in a directory. It returns the zero value if
// git would fail, for example if the target of a .git file is missing.
func Discover(dir string) Found {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Found{}
	}
	for at := resolved; ; at = filepath.Dir(at) {
		entry := filepath.Join(at, ".git")
		info, err := os.Stat(entry)
		switch {
		case err == nil && info.Mode().IsRegular():
			target := GitFileTarget(entry)
			if broken(target) != "" {
				return Found{}
			}
			return found(target, entry)
		case err == nil && info.IsDir() && broken(entry) == "":
			return found(entry, entry)
		case broken(at) == "":
			return Found{Dir: at, Common: Common(at), Bare: true}
		}
		if at == filepath.Dir(at) {
			return Found{}
		}
	}
}

func found(dir, entry string) Found {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return Found{Dir: dir, Common: Common(dir), Entry: entry}
}

// GitFileTarget returns the directory to which a .git file refers, with symbolic links resolved. It
// returns "" if there is no such directory.
func GitFileTarget(file string) string {
	target, ok := strings.CutPrefix(named(file), "gitdir: ")
	if !ok {
		return ""
	}
	return Resolve(filepath.Dir(file), target)
}

// Resolve returns a path with all symbolic links resolved, or "" if the path does not exist. A
// relative path begins at dir. Resolve does not clean the path first, because link/.. is the parent
// of the link's target.
func Resolve(dir, path string) string {
	if path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = dir + "/" + path
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return resolved
}

// mostNamed is the maximum number of bytes that are read from a .git or commondir file. Git has the
// same limit for .git files.
const mostNamed = 1 << 20

// named reads a file such as .git or commondir. Like git, it removes trailing line breaks, and then
// cuts the content at the first NUL.
func named(file string) string {
	text, _, _ := strings.Cut(strings.TrimRight(first(file, mostNamed), "\r\n"), "\x00")
	return text
}

// Common returns the directory that a worktree's git directory shares with the other worktrees. It
// reads the path from the file commondir. If dir has no such file, Common returns dir.
func Common(dir string) string {
	path := named(filepath.Join(dir, "commondir"))
	if path == "" {
		return dir
	}
	if resolved := Resolve(dir, path); resolved != "" {
		return resolved
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// broken explains why git rejects dir as a repository. It returns "" if git accepts dir.
func broken(dir string) string {
	if dir == "" {
		return "it leads nowhere"
	}
	if why := brokenHead(filepath.Join(dir, "HEAD")); why != "" {
		return why
	}
	shared := Common(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(shared, name)); err != nil || !info.IsDir() {
			return "it has no " + name
		}
	}
	return ""
}

// brokenHead returns the reason why git rejects a HEAD file, or "" if git accepts the file. It
// follows git's validate_headref.
func brokenHead(head string) string {
	if target, err := os.Readlink(head); err == nil {
		if strings.HasPrefix(target, "refs/") {
			return ""
		}
		return "its HEAD is a link to something other than a branch"
	}
	text := first(head, 256)
	if text == "" {
		return "it has no HEAD"
	}
	if ref, ok := strings.CutPrefix(text, "ref:"); ok && strings.HasPrefix(strings.TrimLeft(ref, " \t\n\r"), "refs/") {
		return ""
	}
	if len(text) >= 40 && strings.Trim(text[:40], "0123456789abcdefABCDEF") == "" {
		return ""
	}
	return "its HEAD is neither a branch nor a commit"
}

// first reads at most limit bytes from the beginning of a regular file. It returns "" on failure,
// and for special files, because reading a special file could block forever.
func first(path string, limit int64) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return string(text)
}
