// Package protected contains the table of the files and directories that control what programs do,
// and of those that contain keys and logins. File tools, the sandbox, the judgment of commands and
// the documentation all use this table, so they protect the same places.
//
// A row names places (below the home directory, on the system, or in any directory). It also
// contains their kind (Runs, Keys), whether file tools may write there (Refused, Asked), and the
// reason. Rows are plain data. [Locations.Places] computes their paths on this machine.
// [Locations.Look] also checks which of them exist on the disk.
package protected
