package coding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/gitcmd"
)

// The tools find_files, code_grep and tree see the same files as the path completion after "@". In
// a repository, they see the files that git tracks or would track, including those in submodules
// and nested repositories. Elsewhere, they see all files. Directories for which [box.Skip] is true
// are omitted, unless the search starts there.

// mostRepositories is the maximum number of repositories for which one listing runs git.
const mostRepositories = 200

// listing collects the files of a project.
type listing struct {
	env   tools.Env
	dir   *box.Dir
	asked int // repositories examined so far

	ignored  []string // paths that git ignores; the path of a directory ends with a slash
	hidden   bool     // git lists no files below the start path; Marvin reads the directory instead
	unlisted int      // number of repositories beyond the limit
}

// visitFiles calls visit for each file below start. start is a path without links. The name that
// visit receives is relative to the working directory, and valid only until visit returns. A
// repository's tracked files come before its other files. An error from visit ends the listing, and
// visitFiles returns the error unless it is [errEnough].
func (l *listing) visitFiles(ctx context.Context, start string, visit func(name []byte) error) error {
	err := l.below(ctx, start, visit)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (l *listing) sorted(ctx context.Context, start string) ([]string, error) {
	var names []string
	err := l.visitFiles(ctx, start, func(name []byte) error {
		names = append(names, string(name))
		return nil
	})
	slices.Sort(names)
	return slices.Compact(names), err
}

func (l *listing) below(ctx context.Context, start string, visit func(name []byte) error) error {
	known, err := l.fromGit(ctx, l.repository(start), start, visit)
	if known || err != nil {
		return err
	}
	return l.fromDisk(ctx, start, visit)
}

// repository returns the first directory that contains .git on the way from start to the working
// directory. If there is none, repository returns ".", because the working directory can be inside
// a repository.
func (l *listing) repository(start string) string {
	for at := start; at != "." && at != "/"; at = path.Dir(at) {
		if l.isRepository(at) {
			return at
		}
	}
	return "."
}

func (l *listing) isRepository(dir string) bool {
	_, info, err := l.dir.Locate(path.Join(dir, ".git"))
	return err == nil && info != nil
}

// fromGit visits each file below start if git lists the file for the repository at dir. It returns
// false if the repository is unusable, if there are too many repositories, or if git lists no files
// and start is not ".".
func (l *listing) fromGit(ctx context.Context, dir, start string, visit func(name []byte) error) (known bool, err error) {
	if l.asked++; l.asked > mostRepositories {
		l.unlisted++
		return false, nil
	}
	repository, err := gitcmd.Open(ctx, l.env, l.dir.Abs(dir))
	if err != nil || repository.Top == "" {
		// Without a usable repository, the caller lists the files from disk.
		return false, context.Cause(ctx)
	}
	files := &gitFiles{listing: l, dir: dir, from: relative(dir, start), repository: repository, visit: visit}
	if err := files.list(ctx); err != nil {
		return true, err
	}
	if files.count == 0 && start != "." {
		l.ignored, l.hidden = nil, true
		return false, nil
	}
	return true, nil
}

// fromDisk visits the files below start. It reads directories from disk, but tries git first for
// each repository that it finds.
func (l *listing) fromDisk(ctx context.Context, start string, visit func(name []byte) error) error {
	return walk(ctx, l.dir, start, func(name string, entry fs.DirEntry) error {
		switch {
		case entry.IsDir() && box.Skip(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() && l.isRepository(name):
			if err := l.below(ctx, name, visit); err != nil {
				return err
			}
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		return visit([]byte(name))
	})
}

// gitFiles lists the files of one repository.
type gitFiles struct {
	*listing
	dir        string // directory of the repository, relative to the working directory
	from       string // start path of the listing, relative to dir
	repository *gitcmd.Repository
	visit      func(name []byte) error
	count      int
	nested     []string // nested repositories
	deleted    map[string]bool
	failed     error
}

func (g *gitFiles) list(ctx context.Context) error {
	g.deleted = map[string]bool{}
	if err := g.ask(ctx, func(name []byte) error { g.deleted[string(name)] = true; return nil }, "--deleted"); err != nil {
		return err
	}
	if err := g.ask(ctx, g.addTracked, "--cached", "--stage"); err != nil {
		return err
	}
	if err := g.ask(ctx, g.addOther, "--others", "--exclude-standard"); err != nil {
		return err
	}
	if err := g.ask(ctx, g.ignore, "--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"); err != nil {
		return err
	}
	for _, name := range g.nested {
		g.count++
		if err := g.below(ctx, name, g.visit); err != nil {
			return err
		}
	}
	return nil
}

// ask executes git ls-files with the given options, and invokes visit for each entry that git
// prints.
func (g *gitFiles) ask(ctx context.Context, visit func(name []byte) error, options ...string) error {
	writer := &splitter{separator: 0, each: func(name []byte) bool {
		g.failed = visit(name)
		return g.failed == nil
	}}
	args := append(append([]string{"ls-files", "-z"}, options...), "--")
	err := g.repository.Stream(ctx, writer, append(args, gitcmd.Literal(g.from)...)...)
	if g.failed != nil {
		return g.failed
	}
	return err
}

// addTracked parses an entry "mode object stage<TAB>name".
func (g *gitFiles) addTracked(entry []byte) error {
	mode, name, ok := bytes.Cut(entry, []byte{'\t'})
	if !ok || g.deleted[string(name)] {
		return nil
	}
	const submodule = "160000"
	if bytes.HasPrefix(mode, []byte(submodule)) {
		g.addNested(string(name))
		return nil
	}
	return g.file(name)
}

func (g *gitFiles) addOther(name []byte) error {
	if inner, ok := bytes.CutSuffix(name, []byte{'/'}); ok { // a nested repository that is not a submodule
		g.addNested(string(inner))
		return nil
	}
	return g.file(name)
}

// addNested records a nested repository, if it exists.
func (g *gitFiles) addNested(name string) {
	full := path.Join(g.dir, name)
	if at, info, err := g.listing.dir.Locate(full); err != nil || at != full || info == nil || !info.IsDir() || skipped(path.Join(g.dir, g.from), full+"/x") {
		return
	}
	g.nested = append(g.nested, full)
}

func (g *gitFiles) ignore(name []byte) error {
	if full := path.Join(g.dir, string(name)); !skipped(".", full+"/x") && len(g.ignored) < 10_000 {
		if bytes.HasSuffix(name, []byte{'/'}) {
			full += "/"
		}
		g.ignored = append(g.ignored, full)
	}
	return nil
}

func (g *gitFiles) file(name []byte) error {
	g.count++
	start := path.Join(g.dir, g.from)
	full := name
	if g.dir != "." {
		full = append(append([]byte(g.dir), '/'), name...)
	}
	if hasSkipped(full) && skipped(start, string(full)) {
		return nil
	}
	return g.visit(full)
}

// hasSkipped is a fast test that makes most calls to [skipped] unnecessary.
func hasSkipped(name []byte) bool {
	name = bytes.ToLower(name)
	return slices.ContainsFunc([]string{".git/", ".hg/", ".svn/", ".tickets/", "node_modules/", "venv/", "__pycache__/"}, func(dir string) bool { return bytes.Contains(name, []byte(dir)) })
}

func relative(dir, name string) string {
	if dir == "." {
		return name
	}
	below, err := filepath.Rel(dir, name)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(below)
}

// describeLeftOut describes the paths that a search skipped because git ignores them.
func (l *listing) describeLeftOut() string {
	var said []string
	if count := len(l.ignored); count > 0 {
		const most = 3
		names := strings.Join(l.ignored[:min(count, most)], ", ")
		if count > most {
			names += ", …"
		}
		said = append(said, fmt.Sprintf("%s that git ignores (%s)", counted(count, "path"), visibleName(names)))
	}
	if l.unlisted > 0 {
		said = append(said, fmt.Sprintf("the ignore rules of %d repositories", l.unlisted))
	}
	if len(said) == 0 {
		return ""
	}
	return "[left out: " + strings.Join(said, "; ") + "]\n"
}

func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
