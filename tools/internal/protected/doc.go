// Package protected contains the table of files and directories that control what programs do or
// that contain keys and logins. File tools, the sandbox, the analysis of commands and the
// documentation share this table, so that they protect the same places.
//
// A row lists places below the home directory, on the system, or in any directory. Its fields
// specify why the places are protected, whether the files control programs (Runs) or contain keys
// (Keys), and whether file tools may write to the places (Write). [Locations.Places] computes the
// paths on this machine. [Locations.Look] also finds the places that exist on the disk.
package protected
