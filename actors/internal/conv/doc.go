// Package conv defines the state of a conversation that all actors share: how it began, its policy
// and limits, the models, its cost, and where it is stored. It has no actor.
package conv
