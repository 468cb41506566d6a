// Package mcp implements "marvin mcp", including an MCP server for Marvin's tools.
package mcp
