// Package door connects windows in other processes to a conversation.
//
// The process that runs a conversation listens on a Unix socket in a directory that other users
// cannot access; see [Dir]. The first line of a connection is a request. A "status" request asks
// for the state of the conversation, a "complete" request asks for completions, and a "stop"
// request ends the conversation. An "enter" request opens a window with a given role. The window
// then speaks the protocol in docs/rpc.md. [Dial] opens a window and returns it as a [ui.Client].
package door
