package coding

import (
	"context"

	"marvin/tools"
)

// EachPath calls a function with the path of each file that the search tools see, relative to
// the project's directory and with slashes. It stops when the function returns false. The
// function must copy a path that it needs later.
func EachPath(ctx context.Context, dir string, environ []string, each func(path []byte) (more bool)) error {
	env := tools.Env{Dir: dir, Root: dir, Environ: environ, Progress: func(string) {}}
	root, err := env.Open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return (&listing{env: env, dir: root}).visitFiles(ctx, ".", func(name []byte) error {
		if !each(name) {
			return errEnough
		}
		return ctx.Err()
	})
}
