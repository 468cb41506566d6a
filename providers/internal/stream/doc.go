// Package stream asks a server that answers with server-sent events, and says in the words
// of package providers what goes wrong. What an event means is for the protocol.
package stream
