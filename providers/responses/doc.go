// Package responses asks models that speak OpenAI's Responses protocol.
//
// Nothing is kept at the server: what a model reasoned comes sealed and goes back to it in
// front of what it led to.
package responses
