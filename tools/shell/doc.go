// Package shell runs command lines for a model.
//
// The user sees the exact line before it runs, with visible replacements for invisible characters.
// Marvin runs exactly the line that the user approved. It does not add an alias, a wrapper or
// "set -u" to the line. tools/internal/proc runs and ends the processes.
package shell
