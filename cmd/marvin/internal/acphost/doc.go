// Package acphost is what an editor gives Marvin, in the form that the rest of the program
// takes: MCP servers, directories, and the output that belongs to the protocol alone.
package acphost
