// Package language implements a synchronous client for one language server.
//
// A [Session] runs the server as a child process and speaks the Language Server Protocol over the
// child's pipes. The client follows these rules, which other clients sometimes break:
//
//   - Marvin does not report problems in outdated content. If a server can report problems on
//     request, Marvin requests them. If a server's report names the version of the file, Marvin
//     accepts the report only if that version is current. Any other report may be about older
//     content, so Marvin accepts it only from a server to which Marvin has sent at most one version
//     of the file (gate.go).
//   - Every wait for a server has a time limit, and all stored data has a size limit. Marvin skips
//     messages larger than 8 MiB and files outside the root.
//   - A server changes no files. If a server proposes changes, the caller receives the new content
//     of each file and can write it (edits.go).
//   - Callers give positions as a line and a name. UTF-16 columns stay inside this package
//     (position.go).
//
// The servers are listed in servers.txt, which is read on first use.
//
// The library go.lsp.dev/protocol (v0.12.0) is not used. It would replace the 100 lines of
// protocol.go, but add 1.8 MB to the binary and 0.15 ms to Marvin's startup time (measured in
// November 2026). It cannot request problems, and it blocks if a server does not read its input. It
// also sets no limit on the length of a message.
package language
