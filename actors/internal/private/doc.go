// Package private decides which providers may receive text that was read in a directory. It looks
// only at the places that are stored with every message.
package private
