// Package language understands code by the language servers that are installed: where a name
// is defined and used, what a change broke, another name for something. The servers are kept
// alive by actors/internal/lsp/servers.go; one of them as plain Go is tools/internal/language.
//
// A server is a program with the rights of a command: it is found on PATH, never where the
// project can write, and runs in the sandbox. None is started before a file of its kind is
// changed or asked about, and none is installed unasked.
package language
