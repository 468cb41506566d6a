// Package slash defines the commands that a user can type. It parses and completes typed lines, and
// contains the help for each command.
//
// [Table] is the only list of commands. The commands are executed in ui/command.
//
// Commands have no individual Go types, because most such types would contain only a string.
package slash
