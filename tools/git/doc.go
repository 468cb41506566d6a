// Package git lets a model inspect a repository and commit to it.
//
// Read-only commands never run a program named in the repository's configuration. Commit and
// checkout run the repository's hooks and filters, because the user expects that (see
// tools/internal/gitcmd). The package never skips hooks with --no-verify.
//
// Each path is checked against the box of the working directory, then passed to git after "--" as a
// literal pathspec. So git never takes a file name for an option or a pattern.
package git
