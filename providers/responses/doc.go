// Package responses speaks OpenAI's Responses protocol.
//
// The server stores nothing. So reasoning arrives encrypted, and later requests send it back before the
// items that followed it.
package responses
