// Package git lets a model look at a repository and commit to it.
//
// Looking runs nothing that the repository's configuration names; committing and
// checking out run its hooks and filters, as they were asked for (see
// tools/internal/gitcmd). Hooks are never skipped: --no-verify is not in here.
//
// Paths are looked up in the working directory's box, then handed over after "--"
// and as literal pathspecs, so a name is never an option or a pattern.
package git
