// Package canvas draws frames on the terminal, which is a grid of cells. It decides when the next
// frame is due, converts roles to colors, and reads keys and the terminal's replies.
//
// It sends only rows that changed. If rows only scrolled, it tells the terminal to move them.
//
// Streamed text is drawn every 52 ms here, and every 40 ms in pages of marvin web. Text and keys
// have separate intervals. With a single interval, text would appear up to one frame later, and a
// typed letter would appear after up to 52 ms instead of 8 ms.
package canvas
