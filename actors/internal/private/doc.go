// Package private says which providers may be told what was read in a directory. It looks at
// places, which every message carries with it, and at nothing else.
package private
