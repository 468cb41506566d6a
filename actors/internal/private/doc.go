// Package private decides which providers may receive text that was read in a directory. It uses
// only the places that every message carries.
package private
