// Package disclosure lists the text of a conversation that each provider received.
package disclosure
