// Package headless runs one prompt for a program that reads stdout.
//
// Golden tests fix its output. In the format text it is raw text as it arrives, one line "  🔧 name,
// name" before each round of tools, and one line break at the end. The other formats are JSON. The
// package makes no decisions. The outcome of a run is the outcome of its turn.
package headless
