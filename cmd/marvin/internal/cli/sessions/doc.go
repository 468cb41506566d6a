// Package sessions implements "marvin sessions", and finds the conversation to continue.
package sessions
