// Package acp implements the parts of the Agent Client Protocol, version 1, that agents and clients
// have in common. It encodes and decodes the messages, which are JSON-RPC 2.0 with one message per
// line, and defines the types of the parameters. Package ui/acp lets an editor use Marvin as its
// agent. Package tools/external lets Marvin act as a client of other agents.
package acp

// Version is the only version that Marvin speaks.
const Version = 1
