// Package canvas is the terminal as a grid of cells: the rows of a frame, when the next frame is due,
// colors, keys as tcell sends them, and what the terminal says of itself.
//
// A row that did not change is not sent. The terminal moves rows that only moved.
package canvas
