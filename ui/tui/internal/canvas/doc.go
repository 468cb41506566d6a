// Package canvas draws frames on the terminal, which is a grid of cells. It decides when the next
// frame is due, converts roles to colors, and reads keys and the terminal's replies.
//
// It does not send rows that did not change. The terminal itself moves rows that only scrolled.
//
// Streamed text is drawn every 52 ms here, and every 40 ms in pages of marvin web. Text and keys
// have separate timing, because with one fixed interval, text would wait up to one frame longer,
// and a key up to 52 ms instead of 8.
package canvas
