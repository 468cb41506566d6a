// Package responses asks models that speak OpenAI's Responses protocol.
//
// The server stores nothing: reasoning comes encrypted, and we return it before the items it led
// to.
package responses
