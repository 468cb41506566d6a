// Package theme provides color themes, both built-in ones and the user's own. A theme assigns a
// color to each role of text, and the front end translates the colors for the terminal. The
// built-in themes are parsed on first use.
package theme
