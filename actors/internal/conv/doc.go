// Package conv defines the conversation state that all actors share: the beginning, policy, limits,
// models, cost and storage location. The package contains no actor.
package conv
