// Package rpc is the front end for programs. It reads requests and writes events, one JSON object
// per line. docs/rpc.md describes the protocol, and the golden files of package messages show its
// exact form.
//
// A client can do everything that a user can: send ops, answer questions, and submit lines to the
// command engine.
//
// Two alternatives were rejected. JSON-RPC 2.0 requires a response to each request, but here a
// response would only acknowledge the op, and clients mostly wait for events. Serving several
// conversations in one process is unnecessary, because a client can start a process for each
// conversation, or run many prompts with "marvin batch".
package rpc
