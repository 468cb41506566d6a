package git

import "marvin/tools/internal/gitdir"

// Branch is the current branch of the repository of a directory, or "". It runs no git.
func Branch(dir string) string { return gitdir.Branch(dir) }
