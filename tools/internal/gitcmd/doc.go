// Package gitcmd runs git so that no program that the repository names runs outside of
// the sandbox.
//
// A repository's configuration is a list of commands: fsmonitor, filters, textconv,
// hooks, signature checkers. git runs some of them for a mere status. So there are
// three ways to run git here:
//
//   - [Repository.Read] looks. Every key that names a command for what is read is
//     overridden, filters of whatever name and origin included, no lock is taken, and
//     no network protocol is allowed. Filters of the user's own configuration are off
//     too: git-lfs, for one, runs what the repository's configuration tells it to. On
//     Linux that git can start no process at all: what is written into a configuration,
//     or into a file that it includes, after it was looked through, runs nothing either.
//   - [Repository.Write] changes something because somebody asked for exactly that, in
//     the sandbox. Filters, hooks, signing and merge drivers run there: a commit without
//     its clean filter stores wrong content, and one without its hooks is not what the
//     project wants. Where no sandbox is to be had they do not run, unless a person
//     agreed to them with the content that they have; and with --sandbox off, which the
//     user has to say, they run as for any git.
//   - [Repository.Tend] changes what the sandbox protects, branches and working trees,
//     and has nothing run.
//
// Each git is told which repository it works in, so that it does not find another one
// that was laid out meanwhile; whether git by itself would find another is looked at
// after each call of a tool (package gitdir).
//
// Overrides are handed over in GIT_CONFIG_COUNT and not as -c: with -c, the key
// filter.a=b.clean is cut at the wrong place, and a filter may have that name. Older
// gits ignore those variables; [Open] notices, and refuses.
//
// Not covered: configuration that changes between Open and Read where there is no
// seccomp, and git's own faults.
package gitcmd
