// Package artifacts stores a conversation's long tool outputs in numbered files.
package artifacts
