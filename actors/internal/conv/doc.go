// Package conv defines the conversation state that all actors share, such as the initial settings,
// policy, limits, models, cost and storage. The package contains no actor.
package conv
