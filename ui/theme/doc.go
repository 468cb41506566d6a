// Package theme contains sets of colors, both built-in themes and the user's own. A theme gives
// each role of text a color; the front end translates it for the terminal. Nothing is read or
// computed until a theme is requested.
package theme
