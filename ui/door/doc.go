// Package door is how windows in other processes join a conversation.
//
// A process that holds a conversation listens on a Unix socket in a directory that only its
// user can enter; see [Dir]. The first line of a connection says what it wants: the state of
// the conversation (status), its end (stop), or a window with a role (enter), which then
// speaks the protocol of docs/rpc.md. [Dial] is the other end, as a [ui.Client].
package door
