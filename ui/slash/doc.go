// Package slash defines the commands that a user can type. It parses and completes typed lines, and
// contains the help for each command.
//
// [Table] is the only list of commands. Package command runs the commands.
//
// Commands have no Go types, because most of the types would contain only a string.
package slash
