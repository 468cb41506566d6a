// Package responses speaks OpenAI's Responses protocol.
//
// The server stores nothing. So reasoning arrives encrypted, and every later request repeats the
// reasoning in its original place.
package responses
