// Package extensions finds the additions of users and projects: tools, hooks, MCP servers and
// instructions. A project's additions are only offers until the user accepts them.
package extensions
