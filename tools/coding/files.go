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

// The files of a project are the same for find_files, code_grep, tree and the completion
// of @: what git tracks or would track, also in submodules and in repositories inside the
// project, and everything where there is no repository. Directories of [box.Skip] are left
// out unless the search begins in them.

// mostRepositories bounds the repositories inside a project whose ignore rules are asked for.
const mostRepositories = 200

// listing lists the files of a project.
type listing struct {
	env   tools.Env
	dir   *box.Dir
	asked int // repositories so far

	ignored  []string // what git ignores, directories with a slash at the end
	hidden   bool     // git ignores all of start, which is listed anyway
	unlisted int      // repositories beyond the limit
}

// each visits the files below start, which is free of links. Names are relative to the
// working directory and may not be kept. A repository's tracked files come before its
// others. visit ends the listing by an error; [errEnough] is not returned.
func (l *listing) each(ctx context.Context, start string, visit func(name []byte) error) error {
	err := l.below(ctx, start, visit)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// sorted are the files below start in order.
func (l *listing) sorted(ctx context.Context, start string) ([]string, error) {
	var names []string
	err := l.each(ctx, start, func(name []byte) error {
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

// repository is the innermost directory around start with its own repository; otherwise the working
// directory, which may be inside one.
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

// fromGit visits what git knows below start in the repository in dir. It is not known where
// git cannot be asked, or where all of start is ignored and yet was named.
func (l *listing) fromGit(ctx context.Context, dir, start string, visit func(name []byte) error) (known bool, err error) {
	if l.asked++; l.asked > mostRepositories {
		l.unlisted++
		return false, nil
	}
	repository, err := gitcmd.Open(ctx, l.env, l.dir.Abs(dir))
	if err != nil || repository.Top == "" {
		return false, context.Cause(ctx) // else: no repository, no git, or one that is not to be trusted
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

// fromDisk visits everything below start, and asks the repositories that it meets.
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

// gitFiles are the files of one repository.
type gitFiles struct {
	*listing
	dir        string // of the repository, relative to the working directory
	from       string // where to begin, relative to dir
	repository *gitcmd.Repository
	visit      func(name []byte) error
	count      int
	nested     []string // repositories inside
	deleted    map[string]bool
	failed     error
}

func (g *gitFiles) list(ctx context.Context) error {
	g.deleted = map[string]bool{}
	if err := g.ask(ctx, func(name []byte) error { g.deleted[string(name)] = true; return nil }, "--deleted"); err != nil {
		return err
	}
	if err := g.ask(ctx, g.tracked, "--cached", "--stage"); err != nil {
		return err
	}
	if err := g.ask(ctx, g.other, "--others", "--exclude-standard"); err != nil {
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

// ask has git list something.
func (g *gitFiles) ask(ctx context.Context, each func(name []byte) error, which ...string) error {
	writer := &splitter{separator: 0, each: func(name []byte) bool {
		g.failed = each(name)
		return g.failed == nil
	}}
	args := append(append([]string{"ls-files", "-z"}, which...), "--")
	err := g.repository.Stream(ctx, writer, append(args, gitcmd.Literal(g.from)...)...)
	if g.failed != nil {
		return g.failed
	}
	return err
}

// tracked takes "mode object stage<TAB>name".
func (g *gitFiles) tracked(entry []byte) error {
	mode, name, ok := bytes.Cut(entry, []byte{'\t'})
	if !ok || g.deleted[string(name)] {
		return nil
	}
	const submodule = "160000"
	if bytes.HasPrefix(mode, []byte(submodule)) {
		g.inside(string(name))
		return nil
	}
	return g.file(name)
}

func (g *gitFiles) other(name []byte) error {
	if inner, ok := bytes.CutSuffix(name, []byte{'/'}); ok { // a repository that is no submodule
		g.inside(string(inner))
		return nil
	}
	return g.file(name)
}

// inside notes a repository inside this one, if it is there.
func (g *gitFiles) inside(name string) {
	full := path.Join(g.dir, name)
	if at, info, err := g.listing.dir.Locate(full); err != nil || at != full || info == nil || !info.IsDir() || box.Skip(path.Base(name)) {
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

// hasSkipped tells quickly that no directory of a path is one of [box.Skip].
func hasSkipped(name []byte) bool {
	for _, dir := range []string{".git/", ".hg/", ".svn/", ".tickets/", "node_modules/", "venv/", "__pycache__/"} {
		if bytes.Contains(name, []byte(dir)) {
			return true
		}
	}
	return false
}

// relative is a path below dir, relative to it.
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

// leftOut says what a search did not look at because git ignores it.
func (l *listing) leftOut() string {
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
