package coding

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/gitcmd"
)

// EachPath hands over the files of a directory, relative to it and with slashes, those of a
// directory together: what git tracks or would, else all but what no listing shows. It ends
// when each returns false. What is handed over may not be kept.
func EachPath(ctx context.Context, dir string, environ []string, each func(path []byte) (more bool)) error {
	env := tools.Env{Dir: dir, Root: dir, Environ: environ, Progress: func(string) {}}
	if repository, err := gitcmd.Open(ctx, env, dir); err == nil && repository.Top != "" {
		for _, which := range []string{"--cached", "--others"} {
			enough := false
			writer := &splitter{separator: 0, each: func(name []byte) bool {
				enough = !each(name)
				return !enough
			}}
			err := repository.Stream(ctx, writer, "ls-files", "-z", "--exclude-standard", which)
			if enough {
				return nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	root, err := env.Open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	err = walk(ctx, root, ".", func(name string, entry fs.DirEntry) error {
		switch {
		case entry.IsDir() && box.Skip(path.Base(name)):
			return fs.SkipDir
		case !entry.IsDir() && !each([]byte(name)):
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
