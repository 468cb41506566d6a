// Package turn is the actor of one prompt: it asks the model, runs the calls, and asks again until there is
// an answer.
package turn
