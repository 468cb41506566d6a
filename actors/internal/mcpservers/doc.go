// Package mcpservers contains the actors that run MCP servers, and a [Client] for these actors.
package mcpservers
