// Package protected is the one table of what decides what programs do, and of where keys
// and logins are kept. File tools, the sandbox, the judgement of commands and the
// documentation all take it from here: a place that one of them knows, all of them know.
//
// A row says where something is (below the home directory, on the system, or in any
// directory), what it is (Runs, Keys), what becomes of a write by a file tool (Refused,
// Asked), and why. Rows are plain data. [Where.Places] and, with a look at the
// disk, [Where.Look] compute what they mean on this machine.
package protected
