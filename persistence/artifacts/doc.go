// Package artifacts stores long output of tools, by number, for one conversation.
package artifacts
