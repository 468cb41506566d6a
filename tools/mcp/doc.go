// Package mcp connects to MCP servers, which provide tools, resources and prompts. A server is a
// local program with two pipes, or has a web address. The functions block and use no actors. In a
// conversation, actors/internal/mcpservers/servers.go keeps the servers alive; otherwise [Direct]
// does.
//
// The MCP library cannot handle some input: a line that is not a message (a banner, a log) ends the
// connection, and the library reads a line of 50 MB into memory. A filter in front of the library
// (filter.go) drops lines that are not messages. If a reply is too long, the filter sends the
// library an error instead.
//
// Marvin does not trust a server's statements about itself. It shows a server's annotations ("reads
// only") to the user, but no decision depends on them. It pins a tool's description when the user
// first sees it. If the description changes, Marvin does not call the tool until the user has
// reviewed the new description ([Manifest.Pin]).
package mcp
