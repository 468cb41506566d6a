// Package slash defines the commands that a user can type: their names, the parser of a typed line,
// completion, and the help for each.
//
// [Table] is the only list of commands. Package command runs them.
//
// One type per command was rejected: most types would contain only one text, which a verb and a
// text express as well.
package slash
