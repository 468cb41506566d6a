// Package protected contains the table of the files and directories that control what programs do,
// and of those that contain keys and logins. File tools, the sandbox, the judgment of commands and
// the documentation all use this table, so they protect the same places.
//
// A row lists places (below the home directory, on the system, or in any directory). It also says
// what kind they are (Runs, Keys), whether file tools may write there (Refused, Asked), and why
// they are protected. Rows are plain data. [Locations.Places] computes their paths on this machine.
// [Locations.Look] also checks which of them exist on the disk.
package protected
