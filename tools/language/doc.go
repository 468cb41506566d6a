// Package language analyzes code with the installed language servers: definitions and uses of a
// name, errors caused by a change, renaming. actors/internal/lsp/servers.go keeps the servers
// alive; tools/internal/language implements a single server in plain Go.
//
// A server is a program with the rights of a command: it must be on PATH, outside the places that
// the project can write, and runs in the sandbox. Marvin starts a server only when a file of its
// language is changed or asked about, and installs none unasked.
package language
