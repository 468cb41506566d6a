// Package acp contains the code that both sides of the Agent Client Protocol, version 1, share. It
// encodes and decodes the protocol's messages, which are JSON-RPC 2.0 with one message per line. It
// also defines the types of their parameters. Package ui/acp lets an editor use Marvin as its
// agent. Package tools/external lets Marvin act as a client of other agents.
package acp

// Version is the only version that Marvin speaks.
const Version = 1
