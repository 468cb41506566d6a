// Package gitcmd runs git so that no program named by the repository runs outside the sandbox.
//
// A repository's configuration can name commands: fsmonitor, filters, textconv, hooks, signature
// checkers. git runs some of them even for a status. So there are three ways to run git here:
//
//   - [Repository.Read] only reads. It overrides every key that names a command for reading,
//     including filters of any name and origin, takes no lock and allows no network protocol.
//     Filters of the user's own configuration are off too, because some, such as git-lfs, run
//     programs named in the repository's configuration. On Linux this git can start no process at
//     all, so a change to a configuration after the check has no effect either.
//   - [Repository.Write] makes a requested change, in the sandbox. Filters, hooks, signing and
//     merge drivers run there, because a commit without its clean filter stores wrong content, and
//     a commit without its hooks breaks the project's rules. Without a sandbox they run only if the
//     user agreed to their current content. With --sandbox off, which the user must choose, they
//     run as in any git.
//   - [Repository.Tend] changes branches and working trees, which the sandbox protects, and runs no
//     program.
//
// Each git is told its repository, so that it cannot find a planted one. After each call of a tool,
// package gitdir checks which repository git would find by itself.
//
// Overrides are passed in GIT_CONFIG_COUNT and not with -c, which splits the key filter.a=b.clean
// at the wrong place, and a filter may have that name. Older gits ignore these variables; [Open]
// detects that and returns an error.
//
// Not covered are changes to the configuration between Open and Read without seccomp, and git's own
// bugs.
package gitcmd
