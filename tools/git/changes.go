package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

// By default, a commit contains the changes that the file tools made in this conversation. If they
// made none, the commit contains the staged changes. All other changes stay uncommitted.

// changes is a list of the changed files that "git status" reports.
type changes []entry

// entry is one changed file. The path is relative to the repository's top directory.
type entry struct{ code, path string }

func (e entry) String() string { return e.code + " " + tools.Visible(e.path) }

func (e entry) unmerged() bool {
	return strings.Contains(e.code, "U") || e.code == "AA" || e.code == "DD"
}

func (e entry) staged() bool { return e.code[0] != ' ' && e.code[0] != '?' }

// mostChanges is the maximum number of changed files that are read.
const mostChanges = 20_000

var errManyChanges = errors.New("enough")

func changed(ctx context.Context, repository *gitcmd.Repository) (all changes, err error) {
	var rest []byte
	skip := false
	take := func(p []byte) (int, error) {
		rest = append(rest, p...)
		for {
			text, after, found := strings.Cut(string(rest), "\x00")
			switch {
			case !found:
				return len(p), nil
			case len(all) == mostChanges:
				return 0, errManyChanges
			case skip: // the old name of a renamed file
				skip = false
			case len(text) > 3:
				skip = strings.ContainsAny(text[:2], "RC")
				all = append(all, entry{text[:2], text[3:]})
			}
			rest = []byte(after)
		}
	}
	err = repository.Stream(ctx, writer(take), "status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty")
	if len(all) == mostChanges {
		err = nil
	}
	return all, err
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// madeHere returns the changes that the file tools made in this conversation.
func (c changes) madeHere(env tools.Env, repository *gitcmd.Repository) changes {
	mine := map[string]bool{}
	for _, path := range env.Seen.Changed() {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		mine[path] = true
	}
	return lists.Filter(c, func(each entry) bool { return mine[filepath.Join(repository.Top, filepath.FromSlash(each.path))] })
}

// specs returns pathspecs that work from any directory.
func (c changes) specs() []string {
	return lists.Map(c, func(each entry) string { return ":(top,literal)" + each.path })
}

// unresolved returns an error if unmerged files still contain conflict markers.
func (c changes) unresolved(ctx context.Context, repository *gitcmd.Repository) error {
	open := slices.DeleteFunc(slices.Clone(c), func(e entry) bool { return !e.unmerged() })
	if len(open) == 0 {
		return nil
	}
	out, err := repository.Read(ctx, append([]string{"grep", "-l", "--full-name", "-e", "^<<<<<<< ", "--"}, open.specs()...)...)
	if exitedWith(err, 1) {
		return nil // no file has markers
	}
	if err != nil {
		return err
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		names = append(names, tools.Visible(name))
	}
	return tools.Advise(fmt.Errorf("not committed, because a merge is not resolved: there are still conflict markers (<<<<<<<) in %s", strings.Join(names, ", ")),
		"Read each of these files, resolve the conflicts, remove the markers, and commit again.")
}

func describeUncommitted(ctx context.Context, repository *gitcmd.Repository) string {
	all, err := changed(ctx, repository)
	if err != nil || len(all) == 0 {
		return ""
	}
	return "Not committed (to commit a file, list it in \"files\"): " + all.list() + "\n"
}

func (c changes) list() string {
	const most = 12
	names := lists.Map(c[:min(most, len(c))], func(each entry) string { return strings.TrimSpace(each.String()) })
	if len(c) > most {
		names = append(names, fmt.Sprintf("… (%d in all)", len(c)))
	}
	return strings.Join(names, ", ")
}
