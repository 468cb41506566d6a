// Package facts implements "marvin memory" and the /memory command. It lists, adds, edits, forgets,
// imports and exports the facts that Marvin remembers, and describes the results.
package facts
