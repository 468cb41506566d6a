// Package shell runs a command line for a model.
//
// The user sees the exact line before it runs, with invisible characters spelled out. The line
// itself is not changed: no set -u, no alias, no wrapper, so the approved line is the one that
// runs. tools/internal/proc runs and ends processes.
package shell
