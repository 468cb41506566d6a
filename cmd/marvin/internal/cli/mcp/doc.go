// Package mcp has the command about MCP servers, and serves Marvin's tools as one.
package mcp
