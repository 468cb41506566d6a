// Package language provides the tools that use the installed language servers. The tools find the
// definition and the uses of a name, report errors after a change, and rename symbols. The package
// actors/internal/lsp keeps the servers running. The package tools/internal/language connects to a
// single server.
//
// A server has the same rights as a command. Its program must be on PATH, outside the directories
// that the project can write, and it runs in the sandbox. Marvin starts a server only when a call
// changes a file in the server's language or asks about such a file. Marvin never installs a
// server.
package language
