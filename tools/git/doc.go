// Package git lets a model inspect a repository and commit to it.
//
// Read-only commands run no program that the repository's configuration names. Commit and checkout
// run the repository's hooks and filters, because the user expects that (see
// tools/internal/gitcmd). Hooks are never skipped: the package does not use --no-verify.
//
// Paths are checked in the working directory's box, then passed after "--" as literal pathspecs, so
// a name is never an option or a pattern.
package git
