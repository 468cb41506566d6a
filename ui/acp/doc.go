// Package acp is the front end for editors: the Agent Client Protocol, version 1. An editor
// starts Marvin as a child process and exchanges JSON-RPC 2.0 messages with it over standard
// input and output, one message a line. docs/acp.md describes what it offers.
//
// Package marvin/messages/acp has the codec, types.go the words that only an agent uses, methods.go
// the table of methods. One loop (server.go) owns all sessions and the output. Whatever waits for the disk
// or for another process is done beside the loop and comes back to it as a function.
//
// Decided against: the file system and the terminals of the client. Marvin's tools have their
// own order, sandbox and undo, and version 2 of the protocol drops both.
package acp
