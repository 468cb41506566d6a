// Package responses speaks OpenAI's Responses protocol.
//
// The server stores nothing. So reasoning comes encrypted, and later requests return it before the
// items that followed it.
package responses
