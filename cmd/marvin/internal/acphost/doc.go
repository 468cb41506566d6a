// Package acphost converts an editor's MCP servers and directories to the forms that the rest of
// the program uses. It also reserves standard output for the protocol.
package acphost
