// Package door connects windows in other processes to a conversation.
//
// The process of a conversation listens on a Unix socket in a directory that only its user can
// enter; see [Dir]. The first line of a connection is a request. A request of the type "status"
// asks for the state of the conversation, and "stop" ends the conversation. The type "complete"
// asks for completions, and "enter" opens a window and gives it a role. A window then speaks the
// protocol of docs/rpc.md. [Dial] opens a window and returns it as a [ui.Client].
package door
