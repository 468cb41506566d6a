// Package mcp connects to MCP servers: external programs that provide tools, resources and prompts
// over two pipes or at a web address. It is plain blocking Go. In a conversation,
// actors/internal/mcpservers/servers.go keeps the servers alive; otherwise [Direct] does.
//
// Some input would break the protocol's library: a line that is not a message (a banner, a log)
// would end the connection, and a line of 50 MB would be read whole. A filter in front of the
// library drops both (filter.go); a reply that is too long becomes an error.
//
// Marvin does not trust a server's statements about itself. Its annotations ("reads only") are
// shown to the user, but no decision depends on them. A tool's description is pinned when the user
// first sees it; if it changes, the tool is not called until the user has reviewed it again
// ([Manifest.Pin]).
package mcp
