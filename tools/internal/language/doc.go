// Package language talks to one language server, with blocking calls.
//
// A [Session] is a child of tools/internal/proc that speaks the Language Server Protocol over its
// pipes. It follows these rules, which other clients sometimes break:
//
//   - No problem is reported for outdated content. If a server says for which version of a file its
//     problems are, only problems of the current version count. If a server can report problems on
//     request, Marvin requests them. Any other server can report problems of older content, so its
//     problems count only for the first content of a file. See diagnostics.go.
//   - Every wait for a server has a time limit, and all stored data has a size limit. Messages
//     beyond 8 MiB are skipped, and so are files outside the root.
//   - A server changes no files. Its proposed changes are returned as contents, which the caller
//     may write (edits.go).
//   - Positions are given as a line and a name; UTF-16 columns stay inside this package
//     (position.go).
//
// The servers are in a table (servers.txt), read on first use.
//
// The library go.lsp.dev/protocol (v0.12.0) is not used. It would replace the 100 lines of
// protocol.go, but add 1.8 MB to the binary and 0.15 ms to every start (measured, November 2026).
// It does not support requesting problems. If a server does not read its input, the library's
// connection blocks. It also stores messages of any length.
package language
