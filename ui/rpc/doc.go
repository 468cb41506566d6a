// Package rpc is the front end for programs. It reads requests and writes events, one JSON object
// per line. docs/rpc.md describes the protocol, and the golden files of package messages show its
// exact form.
//
// A client can do everything that a user can: send ops, answer questions, and submit lines, which
// go to the command engine.
//
// Two alternatives were rejected: JSON-RPC 2.0 with its answers (a client mostly waits for events,
// and an answer would only acknowledge the op), and several conversations in one process (a client
// can end a process; marvin batch is for many prompts).
package rpc
