// Package headless runs one prompt for a program that reads stdout.
//
// Its output is a contract, held by golden tests: raw text as it arrives, one line "  🔧 name, name"
// before each round of tools, one line break at the end; or JSON. It decides nothing: the turn's
// outcome is the outcome.
package headless
