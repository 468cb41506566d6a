// Package conversation contains the state of a conversation, in plain values for all front ends.
// [State.Apply] is the only function that applies events to it.
//
// A front end holds one [State] and passes each event to it first. Then it shows the new state. A
// [Change] describes what the new state alone does not show. Commands (ui/command) use the same
// state. The front end draws the state and makes its text safe for a terminal; this package does
// neither.
package conversation
