// Package mcpservers contains the actors of MCP servers and the client with which calls use them.
package mcpservers
