// Package headless runs one prompt for a program that reads stdout.
//
// Golden tests fix its output: raw text as it arrives, one line "  🔧 name, name" before each round
// of tools, and one line break at the end; or JSON. It makes no decisions: its outcome is the
// turn's outcome.
package headless
