// Package themes chooses colours, glyphs and the way pictures are drawn for a terminal.
package themes
