// Package turn implements the actor that answers one prompt. It sends requests to the model and
// runs the calls that the model makes, until there is an answer.
package turn
