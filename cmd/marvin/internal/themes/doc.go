// Package themes selects the colors, the glyphs and the picture protocol for a terminal.
package themes
