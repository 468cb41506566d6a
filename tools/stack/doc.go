// Package stack searches the question-and-answer sites of Stack Exchange.
//
// No key is needed for 300 requests a day from one address. The service may ask for
// a pause before the next request of the same kind, and bans who does not keep it:
// https://api.stackexchange.com/docs/throttle
package stack
