// Package acphost converts the input of an editor to the forms that the rest of the program takes:
// MCP servers and directories. It also reserves standard output for the protocol.
package acphost
