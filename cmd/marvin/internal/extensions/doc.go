// Package extensions finds the additions of users and projects: tools, hooks, MCP servers and
// instructions. What a project adds is only an offer until the user accepts it.
package extensions
