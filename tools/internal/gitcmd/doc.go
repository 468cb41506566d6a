// Package gitcmd runs git so that no program named by the repository runs outside the sandbox.
//
// A repository's configuration can name commands: fsmonitor, filters, textconv, hooks, signature
// checkers. git runs some of them even for a status. So there are three ways to run git here:
//
//   - [Repository.Read] only looks. Every key that names a command for reading is overridden,
//     including filters of any name and origin; no lock is taken and no network protocol is
//     allowed. Filters of the user's own configuration are off too: git-lfs, for one, runs programs
//     named in the repository's configuration. On Linux this git can start no process at all, so
//     changes to a configuration after the check have no effect either.
//   - [Repository.Write] makes a requested change, in the sandbox. Filters, hooks, signing and
//     merge drivers run there: a commit without its clean filter stores wrong content, and one
//     without its hooks breaks the project's rules. Without a sandbox they run only if the user
//     agreed to their present content; with --sandbox off, which the user must choose, they run as
//     in any git.
//   - [Repository.Tend] changes branches and working trees, which the sandbox protects, and runs no
//     program.
//
// Each git is given its repository, so that it cannot find a planted one; after each call of a
// tool, package gitdir checks which repository git would find by itself.
//
// Overrides are passed in GIT_CONFIG_COUNT and not with -c, which cuts the key filter.a=b.clean at
// the wrong place, and a filter may have that name. Older gits ignore these variables; [Open]
// notices, and refuses.
//
// Not covered: configuration that changes between Open and Read without seccomp, and git's own
// bugs.
package gitcmd
