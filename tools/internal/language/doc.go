// Package language talks to one language server, as plain blocking Go.
//
// A [Session] is a child of tools/internal/proc that speaks the Language Server Protocol over its
// pipes. Its promises, each because other programs went wrong there:
//
//   - No problem is reported for outdated content. A server that names the version is believed only for the present one; one that can be asked
//     is asked; one that does neither is believed for the first content it saw of a file. See diagnostics.go.
//   - No wait for a server is unlimited, and nothing it sends is stored without a limit: messages beyond 8 MiB are skipped, and so are files
//     outside the root.
//   - A server changes nothing. Its proposed changes are returned as contents, which the caller may write (edits.go).
//   - Positions are given as a line and a name; UTF-16 columns stay inside this package (position.go).
//
// The servers are in a table (servers.txt), read on first use.
package language
