// Package conversation holds the state of a conversation as plain values. All front ends and
// [marvin/ui/command] use the same state.
//
// A front end passes each event to [State.Apply] and then shows the new state. The returned
// [Change] describes effects that are not visible in the state. Strings in the state are not safe
// for a terminal, so the front end must clean them before it draws them.
package conversation
