// Package slash defines the commands that a user can type: their names, the parser of a typed line,
// completion, and the help for each.
//
// [Table] is the only list of commands. Package command runs them.
//
// One Go type per command was rejected, because most of the types would contain only a text.
package slash
