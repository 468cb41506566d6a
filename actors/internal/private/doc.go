// Package private decides which providers may receive what was read in a directory. It looks only
// at the places that every message carries.
package private
