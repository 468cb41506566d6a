// Package plain talks in lines: for slow links, screen readers and pipes. It moves
// no cursor and draws no spinner, and writes no ESC byte at all.
package plain
