// Package protected contains the table of places that decide what programs do, and of places with
// keys and logins. File tools, the sandbox, the judgment of commands and the documentation all use
// this table, so they all know the same places.
//
// A row names places (below the home directory, on the system, or in any directory), their kind
// (Runs, Keys), the effect of a write by a file tool (Refused, Asked), and the reason. Rows are
// plain data. [Where.Places] and, with a look at the disk, [Where.Look] compute their paths on this
// machine.
package protected
