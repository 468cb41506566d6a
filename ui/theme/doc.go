// Package theme provides color themes, both built-in ones and the user's own. A theme assigns a
// color to each role of text, and the front end translates the colors for the terminal. Nothing is
// read or computed until a theme is requested.
package theme
