// Package acp is the front end for editors. It implements the Agent Client Protocol, version 1. An
// editor starts Marvin as a child process and exchanges JSON-RPC 2.0 messages with it over standard
// input and output, one message per line. docs/acp.md describes the supported features.
//
// Package marvin/messages/acp contains the codec. types.go contains the types that only an agent
// uses, and methods.go the table of methods. One loop (server.go) owns all sessions and the output.
// A function that waits for the disk or for another process runs outside the loop. It returns a
// function that the loop calls.
//
// Marvin does not use the client's file system or terminals, which version 2 of the protocol drops.
// Marvin's own tools run in order and in a sandbox, and their changes can be undone.
package acp
