// Package protected contains the table of files and directories that control what programs do or
// that contain keys and logins. File tools, the sandbox, the analysis of commands and the
// documentation share this table, so that they protect the same places.
//
// A row lists places below the home directory, on the system, or in any directory. It says whether
// they control programs (Runs) or contain keys (Keys), whether file tools may write there (Refused,
// Asked), and why the places are protected. [Locations.Places] computes their paths on this
// machine. [Locations.Look] also checks which of them exist on the disk.
package protected
