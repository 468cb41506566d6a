// Package rpc is the front end for programs: requests in, events out, one JSON object
// a line. docs/rpc.md describes it; the golden files of messages are its letter.
//
// A client can do all that a person can at the screen: send ops, answer questions, and
// submit what a person would type as a line, which goes to the engine of commands.
//
// Decided against: JSON-RPC 2.0 with its answers (most of what a client waits for is
// an event, and an answer would only say that the op was taken), and several
// conversations in one process (a process is the unit that a client can end; marvin
// batch is for many prompts).
package rpc
