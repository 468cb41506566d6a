// Package conversation holds the state of a conversation in plain values, for all front ends. Only
// [State.Apply] applies events to the state.
//
// A front end passes each event to its [State] and then shows the new state. A [Change] describes
// the effects that the new state alone does not show. Package command uses the same state. The
// strings in a state are not safe for a terminal. The front end must clean them before it draws
// them.
package conversation
