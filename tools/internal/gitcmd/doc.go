// Package gitcmd runs git so that looking at a repository never runs a program
// that the repository names.
//
// A repository's configuration is a list of commands: fsmonitor, filters, textconv,
// hooks, signature checkers. git runs some of them for a mere status. So there are
// two ways to run git here:
//
//   - [Repository.Read] looks. Every key that names a command for what is read is
//     overridden, filters of whatever name and origin included, no lock is taken, and
//     no network protocol is allowed. Filters of the user's own configuration are off
//     too: git-lfs, for one, runs what the repository's configuration tells it to.
//   - [Repository.Write] changes something because somebody asked for exactly that.
//     Filters, hooks, signing and merge drivers run as for any git of this user: a
//     commit without its clean filter stores wrong content, and one without its hooks
//     is not what the project wants.
//
// Overrides are handed over in GIT_CONFIG_COUNT and not as -c: with -c, the key
// filter.a=b.clean is cut at the wrong place, and a filter may have that name. Older
// gits ignore those variables; [Open] notices, and refuses.
//
// Not covered: configuration that changes between Open and Read, and git's own
// faults.
package gitcmd
