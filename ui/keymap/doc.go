// Package keymap contains the table of keys: the function and the place of each key. Each function
// has a name, under which a user may assign other keys (keys: in config.yaml). The full screen and
// the line editor use the table; F1, /keys and docs/keys.md are printed from it.
//
// The table contains only data and no functions, so it costs nothing at the start of a program
// without keys.
package keymap
