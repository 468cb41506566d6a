// Package mcpservers contains the actors that run MCP servers, and the client that calls use.
package mcpservers
