// Package mcp connects to MCP servers, which provide tools, resources and prompts. A server is
// either a local program connected by pipes, or a remote server with a web address. All functions
// are blocking, and use no actors. During a conversation, the actors in actors/internal/mcpservers
// keep servers alive. Outside a conversation, [Direct] keeps them alive.
//
// The MCP library cannot handle some server output. A line that is not a message, such as a banner
// or a log line, ends the connection. The library reads even a line of 50 MB into memory. A filter
// in front of the library (filter.go) drops lines that are not messages, and replaces an overlong
// reply with an error.
//
// Marvin does not trust a server's statements about itself. It shows the server's annotations
// ("reads only") to the user, but no decision depends on them. Marvin pins the descriptions of the
// tools when it first connects to a server ([Manifest.Pin]). If a description changes later, Marvin
// does not call the tool until the user has approved the new description.
package mcp
