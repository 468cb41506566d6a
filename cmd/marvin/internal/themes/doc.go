// Package themes selects the colors, the glyphs and the way to draw pictures for a terminal.
package themes
