// Package git lets a model inspect a repository and commit to it.
//
// Read-only commands run no program that the repository's configuration names. Commit and checkout
// run the repository's hooks and filters, because the user expects that (see
// tools/internal/gitcmd). Hooks are never skipped: the package does not use --no-verify.
//
// Each path is first checked in the box of the working directory. Git receives the path after "--",
// as a literal pathspec. Git therefore never takes a file name for an option or a pattern.
package git
