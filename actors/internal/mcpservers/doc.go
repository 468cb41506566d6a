// Package mcpservers are the actors of MCP servers, and what a call asks them.
package mcpservers
