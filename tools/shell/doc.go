// Package shell runs a command line for a model.
//
// A person is shown the exact line before it runs, with what is invisible made
// visible. The line itself is not changed: no set -u, no alias, no wrapper, so that
// what was agreed to is what runs. How processes are run and ended is the business
// of tools/internal/proc.
package shell
