// Package session implements the actor of one conversation: the only writer of its transcript and
// the only source of its events.
package session
