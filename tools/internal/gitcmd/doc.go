// Package gitcmd runs git without letting a repository run programs outside the sandbox.
//
// A repository's configuration can name programs that git runs, such as fsmonitor, filters,
// textconv, hooks and signature checkers. Even "git status" runs some of these programs. So there
// are three ways to run git:
//
//   - [Repository.Read] only reads. It overrides every configuration key that could make git run a
//     program. It also overrides filters in the user's own configuration, because some filters,
//     such as git-lfs, run programs that the repository's configuration names. Read takes no lock
//     and allows no network protocol. On Linux, git cannot start any process during a Read, even if
//     the configuration changes after Open.
//   - [Repository.Write] makes a requested change in the sandbox. It runs filters, hooks, signing
//     programs and merge drivers. A commit without its clean filter would store wrong content, and
//     a commit without its hooks would break the project's rules. If there is no sandbox, these
//     programs run only if the user agreed to their current content. With --sandbox off, they run
//     unconfined.
//   - [Repository.Tend] changes branches and working trees, but runs no programs. It runs git
//     unconfined, because the sandbox protects the files that git changes.
//
// Marvin tells each git process which repository to use, because git could otherwise find a
// repository that a command has planted. After each tool call, Marvin uses package gitdir to check
// which repository git would find by itself.
//
// The overrides are passed in GIT_CONFIG_COUNT, because -c would split a key such as
// "filter.a=b.clean" at its first "=". [Open] returns an error if git is too old for
// GIT_CONFIG_COUNT.
//
// The package does not protect against bugs in git. Without seccomp, it cannot protect against a
// configuration change between Open and Read.
package gitcmd
