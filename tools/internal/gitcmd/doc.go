// Package gitcmd runs git without letting a repository run programs outside the sandbox.
//
// A repository's configuration can name programs for git to run: fsmonitor, filters, textconv,
// hooks, signature checkers. git runs some of them even for "git status". So there are three ways
// to run git:
//
//   - [Repository.Read] only reads. It overrides every configuration key that could make git run a
//     program during a read. This includes all filters, even those in the user's own
//     configuration, because some, such as git-lfs, run programs named in the repository's
//     configuration. Read takes no lock and allows no network protocol. On Linux, git cannot start
//     any process during a Read, so it does not matter if the configuration changes after Open.
//   - [Repository.Write] makes a requested change, in the sandbox. Filters, hooks, signing and
//     merge drivers run there, because a commit without its clean filter stores wrong content, and
//     a commit without its hooks breaks the project's rules. If there is no sandbox, these programs
//     run only if the user agreed to their current content. If the user chose --sandbox off, they
//     run unconfined.
//   - [Repository.Tend] changes branches and working trees, which the sandbox protects, and runs no
//     programs.
//
// Marvin tells each git process which repository to use. Otherwise git could find a repository that
// a command has planted. After each tool call, Marvin checks with package gitdir which repository
// git would find by itself.
//
// Overrides are passed in GIT_CONFIG_COUNT and not with -c. For a filter named a=b, -c would split
// the key filter.a=b.clean at the wrong place. Older versions of git ignore GIT_CONFIG_COUNT.
// [Open] detects that and returns an error.
//
// The package does not protect against bugs in git itself. Without seccomp, there is another gap,
// because a program can change the configuration between Open and Read.
package gitcmd
