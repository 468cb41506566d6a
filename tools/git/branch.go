package git

import "marvin/tools/internal/gitdir"

// Branch is the branch that is checked out in the repository of a directory, for people; ""
// if there is none. It runs no git.
func Branch(dir string) string { return gitdir.Branch(dir) }
