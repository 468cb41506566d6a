package coding

import (
	"context"

	"marvin/tools"
)

// EachPath calls visit with the path of each file that the search tools see in dir. Paths are
// relative to dir and use slashes. A path is valid only until visit returns. EachPath stops when
// visit returns false.
func EachPath(ctx context.Context, dir string, environ []string, visit func(path []byte) (more bool)) error {
	env := tools.Env{Dir: dir, Root: dir, Environ: environ, Progress: func(string) {}}
	root, err := env.Open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return (&listing{env: env, dir: root}).visitFiles(ctx, ".", func(name []byte) error {
		if !visit(name) {
			return errEnough
		}
		return ctx.Err()
	})
}
