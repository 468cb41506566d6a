// Package conv holds what all actors know of a conversation: how it began, its policy and limits, the models,
// what it spends, and where it is stored. It has no actor.
package conv
