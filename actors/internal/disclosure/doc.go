// Package disclosure lists which text of a conversation each provider received.
package disclosure
