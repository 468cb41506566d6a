// Package extensions finds the tools, hooks, MCP servers and instructions that users and projects
// add. Those of a project have no effect until the user accepts them.
package extensions
