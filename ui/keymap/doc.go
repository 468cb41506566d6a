// Package keymap contains the key bindings of full-screen mode and plain mode.
//
// Users can change the keys of an action under "keys:" in config.yaml. The lists in F1, /keys and
// docs/keys.md are generated from [Table]. [Table] contains no functions, so it costs nothing at
// startup.
package keymap
