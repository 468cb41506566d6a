// Package session implements the actor of one conversation. Only this actor writes the
// conversation's transcript and sends its events.
package session
