// Package mcp implements marvin mcp, and serves Marvin's tools as an MCP server.
package mcp
