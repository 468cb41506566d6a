// Package gitcmd runs git without letting a repository run programs outside the sandbox.
//
// A repository's configuration can name commands: fsmonitor, filters, textconv, hooks, signature
// checkers. git runs some of them even for git status. So there are three ways to run git here:
//
//   - [Repository.Read] only reads. A configuration has keys for commands that git runs during a
//     read. Read overrides all these keys, also those of filters with any name and origin. It takes
//     no lock and allows no network protocol. Filters in the user's own configuration are off too,
//     because some, such as git-lfs, run programs named in the repository's configuration. On
//     Linux, this git cannot start any process, so it does not matter if a configuration changes
//     after it was checked.
//   - [Repository.Write] makes a requested change, in the sandbox. Filters, hooks, signing and
//     merge drivers run there, because a commit without its clean filter stores wrong content, and
//     a commit without its hooks breaks the project's rules. Without a sandbox, these programs run
//     only if the user agreed to their current content. With --sandbox off, which the user must
//     choose, they run unconfined.
//   - [Repository.Tend] changes branches and working trees, which the sandbox protects, and runs no
//     program.
//
// Marvin tells each git process which repository to use. Otherwise git could find a repository that
// a command has planted. After each call of a tool, Marvin checks with package gitdir which
// repository git would find by itself.
//
// Overrides are passed in GIT_CONFIG_COUNT and not with -c, because a filter may have the name a=b:
// -c splits the key filter.a=b.clean at the wrong place. Older versions of git ignore these
// variables; [Open] detects that and returns an error.
//
// The package does not protect against bugs in git itself. Without seccomp, there is another gap: a
// program can change the configuration between Open and Read.
package gitcmd
