// Package extensions finds the additions of users and projects: tools, hooks, MCP servers and
// instructions. Additions of a project are offers until the user accepts them.
package extensions
