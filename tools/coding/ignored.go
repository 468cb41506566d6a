package coding

import (
	"context"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

// Ignored returns those files that git ignores. If dir is not in a repository, Ignored returns nil.
func Ignored(ctx context.Context, dir string, environ []string, files []string) (ignored []string) {
	if len(files) == 0 {
		return nil
	}
	env := tools.Env{Dir: dir, Root: dir, Environ: environ, Progress: func(string) {}}
	repository, err := gitcmd.Open(ctx, env, dir)
	if err != nil || repository.Top == "" {
		return nil
	}
	ask := []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"}
	ask = append(ask, gitcmd.Literal(files...)...)
	writer := &splitter{separator: 0, each: func(name []byte) bool {
		ignored = append(ignored, string(name))
		return true
	}}
	_ = repository.Stream(ctx, writer, ask...) // if git fails, the remaining files are treated as not ignored
	return ignored
}
