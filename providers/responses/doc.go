// Package responses speaks OpenAI's Responses protocol.
//
// The server is told to store nothing. So reasoning arrives encrypted, and every later request
// repeats it in its original position.
package responses
