// Package acp defines and decodes the messages of the Agent Client Protocol, version 1. Each
// message is one line of JSON-RPC 2.0. Agents and clients share this package: in package ui/acp,
// Marvin is an agent for editors; in package tools/external, Marvin is a client of other agents.
package acp

// Version is the only protocol version that Marvin supports.
const Version = 1
