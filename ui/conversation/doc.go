// Package conversation is what a front end knows of its conversation: one reducer, from
// events to plain values, for all of them.
//
// A front end holds one [State], gives it each event first, and then shows what is new:
// from the state, and from the [Change] where the state before counts. Commands
// (ui/command) look at the same one. Nothing here draws, and nothing is made safe for a
// terminal: that is for who draws.
package conversation
