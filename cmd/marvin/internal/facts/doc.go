// Package facts is what marvin memory and /memory do with the facts that Marvin remembers: it
// lists, adds, edits, forgets, imports and exports them, and says in words what came of it.
package facts
