// Package shell runs command lines for a model.
//
// Before a line runs, the user sees it, with visible replacements for invisible characters. Marvin
// runs exactly the line that the user approved, without adding an alias, a wrapper or "set -u".
// tools/internal/proc starts and ends the processes.
package shell
