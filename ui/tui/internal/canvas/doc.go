// Package canvas draws frames on the terminal, which is a grid of cells. It decides when the next
// frame is due, converts roles to colors, and reads keys and the terminal's replies.
//
// Only changed rows are sent. Rows that moved unchanged are scrolled by the terminal.
//
// Streamed text is drawn every 52 ms, and key presses are drawn every 8 ms. In "marvin web",
// streamed text is drawn every 40 ms. With one interval for both, text could appear up to one frame
// late, and a typed letter could appear up to 52 ms late.
package canvas
