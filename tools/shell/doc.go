// Package shell runs command lines for a model.
//
// The user sees the exact line before it runs, with visible replacements for invisible characters.
// Marvin does not change the line: it adds no set -u, alias or wrapper, so the approved line is the
// one that runs. tools/internal/proc runs and ends the processes.
package shell
