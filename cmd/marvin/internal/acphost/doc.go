// Package acphost converts an editor's lists of MCP servers and directories into settings and
// permission rules. It also reserves standard output for the protocol.
package acphost
