// Package language talks to one language server, as plain blocking Go.
//
// A [Session] is a child of tools/internal/proc that speaks the Language Server Protocol
// over its pipes. What it promises, each because other programs went wrong there:
//
//   - No problem is told of a content that is not there any more. A server that says which
//     version it looked at is believed for the present one only; one that can be asked is
//     asked; one that does neither is believed for the first content that it ever saw of a
//     file. See diagnostics.go.
//   - Nothing waits for a server without a limit, and nothing that it sends is kept without
//     one: messages beyond 8 MiB are passed over, and so is what lies outside of the root.
//   - A server changes nothing. What it wants changed is given back as contents, which the
//     caller writes or does not (edits.go).
//   - Positions are given as a line and a name; columns in UTF-16 stay in here (position.go).
//
// Which servers there are is a table (servers.txt), read when the first one is wanted.
package language
