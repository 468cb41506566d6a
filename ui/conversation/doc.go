// Package conversation contains the state of a conversation for all front ends: one reducer from
// events to plain values.
//
// A front end holds one [State], passes each event to it first, and then shows what has changed,
// using the state, and the [Change] if the previous state matters. Commands (ui/command) use the
// same state. This package draws nothing and does not make text safe for a terminal. The front end
// does both.
package conversation
