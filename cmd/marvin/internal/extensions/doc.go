// Package extensions finds the tools, hooks, MCP servers and instructions of users and projects. A
// project's extensions have no effect until the user accepts them.
package extensions
