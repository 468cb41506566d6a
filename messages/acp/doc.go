// Package acp contains the code that both sides of the Agent Client Protocol, version 1, share: the
// codec of its JSON-RPC 2.0 messages, one per line, and the types of their parameters. ui/acp makes
// Marvin an agent of an editor. tools/external makes Marvin the client of other agents.
package acp

// Version is the only version that Marvin speaks.
const Version = 1
