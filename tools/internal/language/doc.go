// Package language talks to one language server, with blocking calls.
//
// A [Session] is a child of tools/internal/proc that speaks the Language Server Protocol over its
// pipes. It guarantees the following, because other programs fail there:
//
//   - No problem is reported for outdated content. If a server sends the version of its problems,
//     only the present one counts; if it supports requests for problems, it is asked; otherwise
//     only its problems for the first content of a file count. See diagnostics.go.
//   - No wait for a server is unlimited, and no data is stored without a limit: messages beyond 8
//     MiB are skipped, and so are files outside the root.
//   - A server changes no files. Its proposed changes are returned as contents, which the caller
//     may write (edits.go).
//   - Positions are given as a line and a name; UTF-16 columns stay inside this package
//     (position.go).
//
// The servers are in a table (servers.txt), read on first use.
package language
