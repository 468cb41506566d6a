// Package canvas is the terminal as a grid of cells: the rows of a frame, when the next frame is due,
// colors, keys as tcell sends them, and what the terminal says of itself.
//
// A row that did not change is not sent. The terminal moves rows that only moved.
//
// The pace of frames is its own: 52 ms here, 40 ms for pages of marvin web. With one fixed tick,
// text would wait up to a frame longer, and a key up to 52 ms instead of 8.
package canvas
