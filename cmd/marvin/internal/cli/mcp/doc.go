// Package mcp implements "marvin mcp". The subcommand "serve" offers Marvin's tools to other
// agents.
package mcp
