// Package responses speaks OpenAI's Responses protocol.
//
// Marvin asks the server to store nothing. Later requests therefore repeat the encrypted reasoning
// in its original position.
package responses
