// Package mcp talks to MCP servers: programs of others that have tools, resources and
// prompts, behind two pipes or an address. It is plain blocking Go; who keeps servers
// alive is in actors/internal/mcpservers/servers.go, or [Direct] where no conversation is.
//
// What the protocol's library takes amiss is kept from it: a line that is no message (a
// banner, a log) would end the connection, and one of 50 MB would be read whole. Both are
// dropped in front of it (filter.go); the answer that was too long becomes an error.
//
// What a server says of itself is a claim. Its annotations ("reads only") are shown to the
// user and decide nothing; its descriptions are pinned when a person first sees them, and
// what describes itself otherwise later is not called before a person looked at it again
// ([Manifest.Pin]).
package mcp
