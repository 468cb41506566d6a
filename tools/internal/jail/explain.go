package jail

import (
	"fmt"
	"slices"
	"strings"
)

// Explain is a line for a model whose command met the walls.
func (j *Jail) Explain() string {
	network := ""
	if j.plan.Offline {
		network = "; there is no network but the command's own"
	}
	return fmt.Sprintf("[sandbox: a command writes only below %s, in caches of package managers and in /tmp, which is its own; .git/config and .git/hooks are read-only%s. The user can change that with --sandbox]\n", j.plan.Root, network)
}

// signs are how programs say that something was not allowed.
var signs = []string{
	"Permission denied", "permission denied", "Read-only file system", "read-only file system",
	"Operation not permitted", "operation not permitted", "EACCES", "EROFS", "EPERM",
	"Device or resource busy", "unable to create temporary object directory", // of git, about its configuration and about another repository
}

// Note says that the jail may be why a command failed, where it looks like that. A nil
// jail is the reason of nothing.
func (j *Jail) Note(exitCode int, said string) string {
	if j == nil || exitCode == 0 {
		return ""
	}
	if j.plan.Offline || slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(said, sign) }) {
		return j.Explain()
	}
	return ""
}
