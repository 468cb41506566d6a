// Package turn is the actor of one prompt: it asks the model, runs its calls, and repeats that
// until there is an answer.
package turn
