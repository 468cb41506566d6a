package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/gitcmd"
	"marvin/tools/internal/gitdir"
)

// Branch reads the current branch of dir's repository from the HEAD file. Outside a repository, or
// if HEAD is detached, Branch returns "".
func Branch(dir string) string { return gitdir.Branch(dir) }

func open(ctx context.Context, env tools.Env) (*gitcmd.Repository, error) {
	dir, err := env.Open() // fails if no directory is set, or if a link leads out of env.Root
	if err != nil {
		return nil, err
	}
	if err := dir.Close(); err != nil {
		return nil, fmt.Errorf("open directory %s: %w", env.Dir, err)
	}
	return gitcmd.Open(ctx, env, env.Dir)
}

// operands converts paths from a model to paths for git. In a local path (see [filepath.IsLocal]),
// it resolves symbolic links in all elements but the last. A path need not exist, but must be
// inside the working directory.
func operands(env tools.Env, names ...string) ([]string, error) {
	dir, err := env.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	clean := make([]string, len(names))
	for i, name := range names {
		if clean[i], err = operand(dir, name); err != nil {
			return nil, err
		}
	}
	return clean, nil
}

func operand(dir *box.Dir, name string) (string, error) {
	if strings.HasPrefix(name, "-") {
		return "", tools.Advise(fmt.Errorf("the path %q looks like an option", name), "If you mean a file with this name, type ./%s", name)
	}
	clean := path.Clean(filepath.ToSlash(name))
	if name == "" || !filepath.IsLocal(clean) || clean == "." {
		clean, _, err := dir.Locate(name)
		return clean, err
	}
	parent, info, err := dir.Locate(path.Dir(clean))
	switch {
	case err != nil:
		return "", err
	case info == nil: // the whole directory was deleted
		return clean, nil
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a directory, so there is no %s", path.Dir(clean), clean)
	}
	return path.Join(parent, path.Base(clean)), nil
}

// largerTop returns a line that names the repository's top directory. If the top directory is the
// working directory, largerTop returns "".
func largerTop(repository *gitcmd.Repository) string {
	top, err := os.Stat(repository.Top)
	if err != nil {
		return ""
	}
	if dir, err := os.Stat(repository.Dir); err != nil || os.SameFile(top, dir) {
		return ""
	}
	return "Repository: " + tools.Visible(repository.Top) + "\n"
}

func exitedWith(err error, code int) bool {
	var failure *gitcmd.Failure
	return errors.As(err, &failure) && failure.Code == code
}
