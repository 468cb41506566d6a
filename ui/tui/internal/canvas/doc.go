// Package canvas draws frames on the terminal, which is a grid of cells. It decides when the next
// frame is due, converts roles to colors, and reads keys and the terminal's replies.
//
// It sends only changed rows. For rows that moved unchanged, it sends a scroll command.
//
// Streamed text is drawn every 52 ms (in marvin web, every 40 ms), and key presses every 8 ms. With
// one interval for both, text could appear up to one frame late, and a typed letter up to 52 ms.
package canvas
