// Package acphost converts an editor's MCP servers into settings, and its directories into
// permission rules. It also reserves standard output for the Agent Client Protocol.
package acphost
