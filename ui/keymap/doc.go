// Package keymap contains the table of key bindings. Each action in the table has a name, to which
// users can assign other keys under "keys:" in config.yaml. The full screen and the line editor use
// the table. F1, /keys and docs/keys.md are printed from it.
//
// The table contains only data and no functions, so a program that does not use keys pays nothing
// for it at startup.
package keymap
