// Package acp is the front end for editors. It implements the Agent Client Protocol, version 1. An
// editor starts Marvin as a child process and exchanges JSON-RPC 2.0 messages with it over standard
// input and output, one message per line. docs/acp.md describes the supported features.
//
// Package marvin/messages/acp contains the codec. types.go contains the types that only an agent
// uses, and methods.go the table of methods. One loop (server.go) owns all sessions and the output.
// Work that waits for the disk or for another process runs outside the loop and returns a function
// that the loop runs.
//
// Marvin does not use the client's file system and terminals. Its own tools order their calls, run
// them in a sandbox and can undo them; besides, version 2 of the protocol drops both features.
package acp
