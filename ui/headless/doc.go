// Package headless runs one prompt for a program that reads stdout.
//
// What it writes is a contract with integrators, held by golden tests: raw text as
// it arrives, one line "  🔧 name, name" before each round of tools, one line break
// at the end; or JSON. It decides nothing: the outcome of the turn is the outcome.
package headless
