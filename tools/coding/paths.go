package coding

import (
	"context"

	"marvin/tools"
)

// EachPath calls each with the files of a project, relative to its directory and with
// slashes: those that the search tools see. It ends when each returns false. A path may not
// be kept.
func EachPath(ctx context.Context, dir string, environ []string, each func(path []byte) (more bool)) error {
	env := tools.Env{Dir: dir, Root: dir, Environ: environ, Progress: func(string) {}}
	root, err := env.Open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return (&listing{env: env, dir: root}).each(ctx, ".", func(name []byte) error {
		if !each(name) {
			return errEnough
		}
		return ctx.Err()
	})
}
