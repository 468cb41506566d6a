// Package door connects windows in other processes to a conversation.
//
// The process that runs a conversation listens on a Unix socket in a directory that only its user
// can enter; see [Dir]. The first line of a connection is a request. A "status" request asks for
// the state of the conversation, a "stop" request ends the conversation, and a "complete" request
// asks for completions. An "enter" request opens a window with a given role. A window then speaks
// the protocol of docs/rpc.md. [Dial] opens a window and returns it as a [ui.Client].
package door
