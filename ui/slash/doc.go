// Package slash has the commands that a user can type: what there is, what a typed line means, what
// completes it, and the help for each.
//
// [Table] is the one list of commands. Package command carries them out.
//
// Decided against: one type per command. There would be twenty of them with one text
// each; a verb and a text say the same.
package slash
