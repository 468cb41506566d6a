// Package acp is the front end for editors. It implements the Agent Client Protocol, version 1. An
// editor starts Marvin as a child process. The two processes exchange JSON-RPC 2.0 messages over
// standard input and output, one message per line. docs/acp.md describes the supported features.
//
// Package marvin/messages/acp contains the codec. The file types.go contains the types that only an
// agent uses, and methods.go contains the table of methods. One loop (server.go) owns all sessions
// and the output. A function that waits for the disk or for another process runs outside the loop,
// and returns a function for the loop to call.
//
// Marvin does not use the client's file system or terminals. Version 2 of the protocol drops these
// features. Marvin's own tools can run commands in a sandbox. Tool calls take effect in the order
// in which the model made them, and changes to files can be undone.
package acp
