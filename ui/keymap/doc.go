// Package keymap is the one table of keys: what each does, where, and under which name a
// person may give it others (keys: in config.yaml). The full screen and the line editor
// act by it; F1, /keys and docs/keys.md are printed from it.
//
// The table is data without a function in it, so that it costs nothing when a program
// starts that has no keys.
package keymap
