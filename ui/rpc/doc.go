// Package rpc is the front end for programs: requests in, events out, one JSON object per line.
// docs/rpc.md describes it; the golden files of messages show its exact form.
//
// A client can do everything that a user can: send ops, answer questions, and submit lines, which
// go to the command engine.
//
// Alternatives that were rejected: JSON-RPC 2.0 with its answers (a client mostly waits for events,
// and an answer would only acknowledge the op), and several conversations in one process (a client
// can end a process; marvin batch is for many prompts).
package rpc
