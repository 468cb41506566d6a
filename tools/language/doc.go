// Package language analyzes code with the installed language servers: definitions and uses of a
// name, errors caused by a change, renaming. actors/internal/lsp/servers.go keeps the servers
// running; tools/internal/language connects to a single server.
//
// A server is a program with the rights of a command: it must be on PATH, outside the places that
// the project can write, and it runs in the sandbox. Marvin starts a server only when a call
// changes a file of its language, or asks about such a file. Marvin never installs a server by
// itself.
package language
