// Package extensions finds what users and projects add: tools, hooks, MCP servers, instructions, and offers of projects.
package extensions
