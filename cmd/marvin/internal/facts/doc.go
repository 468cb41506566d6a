// Package facts implements marvin memory and /memory: it lists, adds, edits, forgets, imports and
// exports the facts that Marvin remembers, and describes the results.
package facts
