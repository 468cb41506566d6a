// Package door connects windows in other processes to a conversation.
//
// The process of a conversation listens on a Unix socket in a directory that only its user can
// enter; see [Dir]. The first line of a connection selects a service: the state of the conversation
// (status), its end (stop), completions (complete), or a window with a role (enter), which then
// speaks the protocol of docs/rpc.md. [Dial] is the client side, as a [ui.Client].
package door
